/** What is done before a helm that changes something. */
import type { Call } from '@gantry/core'
import { label, ownerLabels } from '../../../labels.ts'
import { storageClasses } from '../../manifests/classes.ts'
import { isClaim } from '../../manifests/health/claims.ts'
import type { SetObject } from '../../manifests/set-object.ts'
import type { HelmCommand, Template } from '../command/argv.ts'
import type { RunPlaces } from '../command/environment.ts'
import type { DesiredChart, HelmOptions } from '../helm.ts'
import { type HelmRecord, sourceLabels } from '../record.ts'
import { descriptionOf, type KnownRevision } from '../release/revisions.ts'
import type { HookBody } from '../release/stored.ts'
import { placeChart } from './chart.ts'
import { judgeRendered } from './judge.ts'
import { hasLaterHooks, lateClaims } from './late-claims.ts'
import { placeValues } from './values.ts'

export type Preparing = {
  readonly places: RunPlaces
  readonly call: Call
  /** What is waited for now. */
  readonly tell: (message: string) => void
  /** A short question to helm; throws `engine_rejected` with its words. */
  readonly ask: (command: HelmCommand, reaches: 'cluster' | 'repository') => Promise<string>
}

export type Prepare = (preparing: Preparing) => Promise<HelmCommand>

type Deps = Pick<HelmOptions, 'api' | 'allow' | 'chartFolders' | 'plainHttp' | 'installation'>
type Where = { readonly namespace: string; readonly releaseName: string }

/** The chart is fetched, rendered and judged. */
export function upgradeOf(
  desired: DesiredChart,
  { namespace, releaseName }: Where,
  isUpgrade: boolean,
  deps: Deps,
): Prepare {
  const { source, ref } = desired
  const { hooks, crds, wait, atomic, timeoutSeconds } = source
  return async ({ places, call, tell, ask }) => {
    const { chartFolders = [], plainHttp = [] } = deps
    if (source.chart.from === 'repository') tell(`the chart ${source.chart.name} from its repository`)
    const chart = await placeChart(source.chart, {
      places,
      chartFolders,
      plainHttp,
      ask: (command) => ask(command, 'repository'),
    })
    const values = await placeValues(source, places)
    const of = { release: releaseName, namespace, chart, values, hooks, crds }
    tell('helm template')
    const rendered = await renderedBy(ask, { verb: 'template', ...of, isUpgrade, as: 'server' }, ref.tenant, deps, call)
    const place = { tenant: ref.tenant, namespace, allow: deps.allow }
    const objects = await judgeRendered(rendered, place, deps.api.discovery, call)
    return {
      verb: 'upgrade',
      ...of,
      wait: wait && (atomic || !(await waitsInVain(objects, deps.api, call))),
      atomic,
      timeoutSeconds,
      labels: {
        ...ownerLabels(deps.installation, ref),
        ...sourceLabels,
        [label.release]: desired.release,
        [label.specHash]: desired.specHash,
      },
      description: descriptionOf(desired.release, desired.specHash),
    }
  }
}

/**
 * The cluster knows no objects of kinds that the chart is only about to define. Who may define kinds, and nobody else, has the
 * chart rendered without it then: a chart that looks different there could make what was not judged.
 */
async function renderedBy(
  ask: Preparing['ask'],
  template: Template,
  tenant: string,
  { allow, api }: Deps,
  call: Call,
): Promise<string> {
  try {
    return await ask(template, 'cluster')
  } catch (error) {
    const mayDefine = allow.clusterScoped.includes('*') || allow.clusterScoped.includes(tenant)
    if (!template.crds || !mayDefine) throw error
    const { gitVersion } = await api.discovery.version(call)
    return await ask({ ...template, as: { kubeVersion: gitVersion } }, 'cluster').catch(() => {
      throw error
    })
  }
}

/** What ran once is judged again: who may do what may have changed since. */
export function rollbackOf(
  desired: DesiredChart,
  { namespace, releaseName }: Where,
  to: KnownRevision,
  deps: Deps,
): Prepare {
  const { hooks, wait, timeoutSeconds } = desired.source
  return async ({ call }) => {
    const texts = [to.manifest, ...(hooks ? to.hooks.filter(isRun).map(({ manifest = '' }) => manifest) : [])]
    const place = { tenant: desired.ref.tenant, namespace, allow: deps.allow }
    const objects = await judgeRendered(texts.join('\n---\n'), place, deps.api.discovery, call)
    const of = { release: releaseName, namespace, revision: to.revision, timeoutSeconds, hooks }
    return { verb: 'rollback', ...of, wait: wait && !(await waitsInVain(objects, deps.api, call)) }
  }
}

export function uninstallOf({ namespace, releaseName }: Where, { hooks, timeoutSeconds }: HelmRecord): Prepare {
  return async () => ({ verb: 'uninstall', release: releaseName, namespace, hooks, timeoutSeconds })
}

/**
 * Then helm is told not to wait, and only we do, who know that such a claim is as it shall be. What Helm does when all is ready
 * (hooks of afterwards, and taking back what fails) is left to it, with its own way to wait.
 */
async function waitsInVain(objects: readonly SetObject[], api: Deps['api'], call: Call): Promise<boolean> {
  if (hasLaterHooks(objects) || !objects.some(({ apiVersion, kind }) => isClaim(apiVersion, kind))) return false
  return lateClaims(objects, await storageClasses(api.objects, call)).length > 0
}

/** Tests are run by people only. */
const isRun = ({ events = [] }: HookBody): boolean => events.some((event) => event !== 'test')
