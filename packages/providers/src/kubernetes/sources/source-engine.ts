/** What an engine asks of whoever looks after workloads from another source: manifests or charts, all in one shape. */
import { type Call, Fault, type Issue } from '@gantry/core'
import type { Desired } from '../../desired.ts'
import type { EngineStep } from '../../engine-step.ts'
import type { Observation, Observed } from '../../observed.ts'
import type { Pass } from '../../pass.ts'
import type { Ref } from '../../ref.ts'
import type { DesiredSource } from '../../source.ts'
import type { HelmReleases } from '../helm/helm.ts'
import type { ManifestSets, SetContainer } from '../manifests/manifests.ts'

export interface SourceEngine {
  readonly type: DesiredSource['type']
  check(desired: Desired): readonly Issue[]
  /** With nothing desired: what removing would do. */
  plan(desired: Desired | undefined, observed: Observed | undefined): readonly EngineStep[]
  converge(desired: Desired, call: Call): Promise<Pass>
  remove(ref: Ref, call: Call): Promise<Pass>
  look(ref: Ref, call: Call): Promise<Observed | undefined>
  observe(call: Call): AsyncIterable<Observation>
  containersOf(engineId: string, service: string, call: Call): Promise<readonly SetContainer[]>
  owns(engineId: string): boolean
  hasAny(namespace: string, call: Call): Promise<boolean>
  close(): Promise<void>
}

export const manifestsEngine = (sets: ManifestSets): SourceEngine => ({
  ...common(sets),
  type: 'manifests',
  check: (desired) => sets.check(narrowed(desired, 'manifests')),
  plan: (desired, observed) => sets.plan(desired && narrowed(desired, 'manifests'), observed),
  converge: (desired, call) => sets.converge(narrowed(desired, 'manifests'), call),
})

export const helmEngine = (releases: HelmReleases): SourceEngine => ({
  ...common(releases),
  type: 'helm',
  check: (desired) => releases.check(narrowed(desired, 'helm')),
  plan: (desired, observed) => releases.plan(desired && narrowed(desired, 'helm'), observed),
  converge: (desired, call) => releases.converge(narrowed(desired, 'helm'), call),
})

type Common = Omit<SourceEngine, 'type' | 'check' | 'plan' | 'converge'>

/** By name, since a class would lose its own with a copy. */
const common = (behind: Common): Common => ({
  remove: (ref, call) => behind.remove(ref, call),
  look: (ref, call) => behind.look(ref, call),
  observe: (call) => behind.observe(call),
  containersOf: (engineId, service, call) => behind.containersOf(engineId, service, call),
  owns: (engineId) => behind.owns(engineId),
  hasAny: (namespace, call) => behind.hasAny(namespace, call),
  close: () => behind.close(),
})

function narrowed<T extends DesiredSource['type']>(
  desired: Desired,
  type: T,
): Desired & { readonly source: Extract<DesiredSource, { type: T }> } {
  const { source } = desired
  if (source?.type !== type)
    throw new Fault('unexpected', `A workload from ${source?.type} was taken for one from ${type}`)
  return { ...desired, source: source as Extract<DesiredSource, { type: T }> }
}
