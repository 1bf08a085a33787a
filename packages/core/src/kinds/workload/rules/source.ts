/** What must hold where a workload is made of what somebody else wrote. What would be dropped in silence is refused. */
import type { Finding } from '../../../validation/issues.ts'
import type { WorkloadFields, WorkloadSpec } from '../spec.ts'
import type { WorkloadRule } from './rule.ts'

export const sourceOrServices: WorkloadRule = ({ source, services }) => {
  if (!source && services.length === 0) {
    return [{ path: ['services'], message: 'must have at least 1 entry, where there is no source' }]
  }
  if (!source || services.length === 0) return []
  return [
    { path: ['services'], message: 'cannot stand beside source, which says what there is; leave out one of them' },
  ]
}

export const oneSource: WorkloadRule = ({ source }) => {
  if (!source || (source.manifests === undefined) !== (source.helm === undefined)) return []
  const has = source.helm ? 'both' : 'neither'
  return [{ path: ['source'], message: `must have one of manifests and helm, and has ${has}` }]
}

export const oneChart: WorkloadRule = ({ source }) => {
  if (!source?.helm) return []
  const { chart } = source.helm
  const there = (['archive', 'repository', 'path'] as const).filter((way) => chart[way] !== undefined)
  if (there.length === 1) return []
  const has = there.length === 0 ? 'none' : there.join(' and ')
  return [
    { path: ['source', 'helm', 'chart'], message: `must have one of archive, repository and path, and has ${has}` },
  ]
}

export const atomicWaits: WorkloadRule = ({ source }) =>
  source?.helm?.atomic && !source.helm.wait
    ? [{ path: ['source', 'helm', 'atomic'], message: 'needs wait: what nobody waits for is not seen to fail' }]
    : []

/** On this machine nobody is on the way. */
export const safeCredentials: WorkloadRule = ({ source }) => {
  const { url = '', credentials } = source?.helm?.chart.repository ?? {}
  if (credentials === undefined || !url.startsWith('http:')) return []
  if (/^http:\/\/(?:localhost|127\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}|\[::1\])(?::[0-9]+)?(?:\/|$)/.test(url)) return []
  const path = ['source', 'helm', 'chart', 'repository', 'credentials']
  return [{ path, message: 'would be read by anybody on the way to an http:// address; use https://' }]
}

type Left = { readonly path: readonly string[]; readonly isLeft: (spec: WorkloadSpec) => boolean; readonly why: string }

const written = 'is what the manifests or the chart say'

/** Fields that say how services run, which a source does not have. Their defaults say nothing and may be there. */
const leftAlone: readonly Left[] = [
  { path: ['type'], isLeft: ({ type }) => type === 'deployment', why: `${written}; leave it out` },
  {
    path: ['replicas'],
    isLeft: ({ replicas }) => replicas === 1,
    why: 'must be 1 with a source: how many pods there are, the manifests or the chart say',
  },
  {
    path: ['run'],
    isLeft: ({ run }) => run === 'running',
    why: 'cannot be stopped with a source: nobody knows how to stop what others wrote; take objects out of it, or delete the workload',
  },
  {
    path: ['restartStamp'],
    isLeft: ({ restartStamp }) => restartStamp === undefined,
    why: 'cannot be set with a source, whose objects are not restarted; change what is in it',
  },
  {
    path: ['restart'],
    isLeft: ({ restart: { policy, maxPerHour } }) => policy === 'always' && maxPerHour === 20,
    why: `${written}; leave it out`,
  },
  {
    path: ['stopGraceSeconds'],
    isLeft: ({ stopGraceSeconds }) => stopGraceSeconds === 10,
    why: `${written}; leave it out`,
  },
  {
    path: ['expose'],
    isLeft: ({ expose }) => expose === 'none',
    why: `${written}, by a Service or an Ingress of their own; leave it out`,
  },
  { path: ['engine'], isLeft: ({ engine }) => Object.keys(engine).length === 0, why: `${written}; leave it out` },
]

export const sourceAlone: WorkloadRule = (spec, { strategy: given }) => {
  if (!spec.source) return []
  return [
    ...leftAlone.flatMap(({ path, isLeft, why }): Finding[] => (isLeft(spec) ? [] : [{ path, message: why }])),
    ...ofStrategy(spec, given),
  ]
}

function ofStrategy({ strategy }: WorkloadSpec, given: WorkloadFields['strategy']): Finding[] {
  if (strategy.type !== 'rolling') {
    if (strategy.type === 'recreate') return []
    const message = `must be rolling or recreate with a source, which is there once; ${strategy.type} needs two beside each other`
    return [{ path: ['strategy', 'type'], message }]
  }
  const usual = { maxSurge: 1, maxUnavailable: 0 } as const
  return (['maxSurge', 'maxUnavailable'] as const)
    .filter((field) => given[field] !== undefined && given[field] !== usual[field])
    .map((field) => ({ path: ['strategy', field], message: `${written}; leave it out` }))
}
