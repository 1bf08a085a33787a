/**
 * Which cluster is meant: a kubeconfig that was named, else the cluster we run in, else what kubectl would take. Whoever named
 * one gets that one or an error; an error names everything that was tried.
 */
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Call, Fault } from '@gantry/core'
import type { ClusterConfig } from './cluster-config.ts'
import { inCluster, serviceAccountFolder } from './in-cluster.ts'
import { type Kubeconfig, mergeKubeconfigs, parseKubeconfig } from './kubeconfig.ts'
import { selectContext } from './select-context.ts'
import { type Environment, type KubernetesSettings, variables } from './settings.ts'

export type ResolveOptions = {
  readonly env: Environment
  /** Whose `.kube/config` it is. */
  readonly home?: string
  readonly serviceAccount?: string
}

type Wanted = Pick<KubernetesSettings, 'kubeconfig' | 'context' | 'inCluster'>

export async function resolveCluster(wanted: Wanted, options: ResolveOptions, call: Call): Promise<ClusterConfig> {
  const { env, home, serviceAccount = serviceAccountFolder } = options
  const context = wanted.context === undefined ? {} : { context: wanted.context }
  if (wanted.kubeconfig !== undefined) {
    const path = resolve(wanted.kubeconfig)
    const found = await kubeconfigAt(path, call)
    if (!found) throw new Fault('bad_document', `There is no kubeconfig ${path}`)
    return selectContext(found, { ...context, trusted: true, from: path })
  }
  const tried = [`no kubeconfig was named (${variables.kubeconfig})`]
  if (wanted.inCluster === false) tried.push('being inside a cluster was ruled out (inCluster: false)')
  else {
    const inside = await lookInside(env, serviceAccount, call)
    if ('config' in inside) return inside.config
    tried.push(inside.not)
    if (wanted.inCluster) throw nothing(tried)
  }
  const paths = usualPaths(env, home)
  const found = await Promise.all(paths.map((path) => kubeconfigAt(path, call)))
  const there = found.filter((each) => each !== undefined)
  if (there.length === 0) throw nothing([...tried, ...paths.map((path) => `${path} is not there`)])
  const from = paths.filter((_, at) => found[at] !== undefined).join(', ')
  return selectContext(mergeKubeconfigs(there), { ...context, trusted: true, from })
}

/** A kubeconfig from anywhere else, such as a Secret: it may name no files and no programs of ours, unless it is `trusted`. */
export function clusterFromText(
  text: string,
  { context, trusted = false, from }: { readonly context?: string; readonly trusted?: boolean; readonly from: string },
): ClusterConfig {
  return selectContext(parseKubeconfig(text, { name: from }), {
    ...(context !== undefined && { context }),
    trusted,
    from,
  })
}

/** The files of KUBECONFIG; without it the one that everybody has. */
export function usualPaths({ KUBECONFIG: list }: Environment, home: string | undefined): readonly string[] {
  const named = (list ?? '').split(':').filter((path) => path !== '')
  if (named.length > 0) return [...new Set(named)]
  return home === undefined ? [] : [join(home, '.kube', 'config')]
}

function nothing(tried: readonly string[]): Fault {
  return new Fault('bad_document', `No cluster is configured. Tried: ${tried.join('; ')}`)
}

async function kubeconfigAt(path: string, call: Call): Promise<Kubeconfig | undefined> {
  const text = await textAt(path, call)
  if (text === undefined || text.trim() === '') return undefined
  return parseKubeconfig(text, { name: path, folder: dirname(resolve(path)) })
}

async function lookInside(env: Environment, folder: string, call: Call): Promise<ReturnType<typeof inCluster>> {
  const [token, ca, namespace] = await Promise.all(
    ['token', 'ca.crt', 'namespace'].map((name) => textAt(join(folder, name), call)),
  )
  const own = namespace?.trim()
  return inCluster(env, folder, { token: token !== undefined, ca: ca !== undefined, ...(own && { namespace: own }) })
}

/** Undefined where there is none; one that may not be read is a fault, and not as good as none. */
async function textAt(path: string, { signal }: Call): Promise<string | undefined> {
  try {
    return await readFile(path, { encoding: 'utf8', signal })
  } catch (cause) {
    signal.throwIfAborted()
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new Fault('bad_document', `${path} cannot be read (${code ?? String(cause)}); may this user read it?`, {
      cause,
    })
  }
}
