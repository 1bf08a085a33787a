/**
 * Pure: what a provider for Kubernetes is told, by options and by the environment. An option wins over the environment; an
 * empty one is as good as none.
 */
import { Fault } from '@gantry/core'

export type KubernetesSettings = {
  /** The path of a kubeconfig. */
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace: string
  readonly region: string
  readonly country: string
  readonly city: string
  /** True: nothing else is tried; false: not tried; left out: tried after an explicit kubeconfig. */
  readonly inCluster?: boolean
  /** On every object besides our own. */
  readonly labels: Readonly<Record<string, string>>
  readonly imagePullSecrets: readonly string[]
  readonly argoNamespace: string
}

export type SettingOptions = { readonly [Name in keyof KubernetesSettings]?: KubernetesSettings[Name] | undefined }

export type Environment = Readonly<Record<string, string | undefined>>

/** What the variables are called. */
export const variables = {
  kubeconfig: 'GANTRY_K8S_KUBECONFIG',
  context: 'GANTRY_K8S_CONTEXT',
  namespace: 'GANTRY_K8S_NAMESPACE',
  region: 'GANTRY_K8S_REGION',
  country: 'GANTRY_K8S_COUNTRY',
  city: 'GANTRY_K8S_CITY',
  inCluster: 'GANTRY_K8S_IN_CLUSTER',
  labels: 'GANTRY_K8S_LABELS',
  imagePullSecrets: 'GANTRY_K8S_IMAGE_PULL_SECRETS',
  argoNamespace: 'GANTRY_K8S_ARGO_NAMESPACE',
} as const satisfies Record<keyof KubernetesSettings, string>

export function settingsFrom(options: SettingOptions, env: Environment): KubernetesSettings {
  const text = (name: TextName): string | undefined => options[name] || env[variables[name]]?.trim() || undefined
  const kubeconfig = text('kubeconfig')
  const context = text('context')
  const inCluster = options.inCluster ?? flag(env)
  return {
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
    namespace: text('namespace') ?? 'default',
    region: text('region') ?? 'local',
    country: text('country') ?? 'Local',
    city: text('city') ?? 'Localhost',
    ...(inCluster !== undefined && { inCluster }),
    labels: isFilled(options.labels) ? options.labels : labelsIn(env),
    imagePullSecrets: options.imagePullSecrets?.length
      ? options.imagePullSecrets
      : parts(env[variables.imagePullSecrets]),
    argoNamespace: text('argoNamespace') ?? 'argocd',
  }
}

type TextName = 'kubeconfig' | 'context' | 'namespace' | 'region' | 'country' | 'city' | 'argoNamespace'

function flag(env: Environment): boolean | undefined {
  const value = env[variables.inCluster]?.trim().toLowerCase()
  if (!value) return undefined
  if (value === 'true' || value === '1') return true
  if (value === 'false' || value === '0') return false
  throw new Fault('bad_document', `${variables.inCluster} is ${value}; write true or false`)
}

function labelsIn(env: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    parts(env[variables.labels]).map((pair) => {
      const [name = '', ...rest] = pair.split('=')
      if (name.trim() === '' || rest.length === 0) {
        throw new Fault('bad_document', `${variables.labels} has ${pair}; write name=value,name=value`)
      }
      return [name.trim(), rest.join('=').trim()]
    }),
  )
}

function isFilled(labels: Readonly<Record<string, string>> | undefined): labels is Readonly<Record<string, string>> {
  return labels !== undefined && Object.keys(labels).length > 0
}

function parts(list: string | undefined): string[] {
  return (list ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
