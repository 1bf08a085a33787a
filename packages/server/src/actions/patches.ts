/** Pure: each action as the patch of a workload's spec that it is. */
import type { DeployBody, ScaleBody } from '@gantry/api'
import { Fault, mergePatch, releaseHash, type ServiceSpec, type SpecOf, workloadKind } from '@gantry/core'
import { mergeEnvironment, scaleServices, serviceNotFound } from '@gantry/providers'
import type { BroughtBack } from './rollback.ts'

type Spec = SpecOf<'Workload'>
type ServiceChange = NonNullable<DeployBody['services']>[number]

/** Below `spec`, as a JSON merge patch: null takes a field away. */
export type SpecPatch = Readonly<Record<string, unknown>>

/** `stamp` tells two deploys of the same content apart. */
export function deployPatch(spec: Spec, { services = [], strategy }: DeployBody, stamp: string): SpecPatch {
  const patch = {
    services: changedServices(spec.services, services),
    // A deploy is of now: what a rollback had pinned is over.
    secretVersions: null,
    ...(strategy && { strategy: strategy.type === undefined ? strategy : whole(spec.strategy, strategy) }),
  }
  return sameContent(spec, patch) ? { ...patch, deployStamp: stamp } : patch
}

/** As a merge patch that makes one of the other, at any depth. */
function replacing(before: unknown, after: unknown): unknown {
  if (after === undefined) return null
  if (!isObject(before) || !isObject(after)) return after
  const gone = Object.keys(before).filter((field) => after[field] === undefined)
  return {
    ...Object.fromEntries(gone.map((field) => [field, null])),
    ...Object.fromEntries(Object.entries(after).map(([field, value]) => [field, replacing(before[field], value)])),
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As a merge patch that leaves nothing of what was there. */
function whole(before: object, after: object): object {
  return { ...Object.fromEntries(Object.keys(before).map((field) => [field, null])), ...after }
}

function changedServices(services: readonly ServiceSpec[], changes: readonly ServiceChange[]): unknown[] {
  for (const [at, { name }] of changes.entries()) {
    if (services.some((service) => service.name === name)) continue
    if (services.length === 0) throw serviceNotFound(name, services)
    const there = services.map((service) => service.name).join(', ')
    const message = `names no service of this workload; there are ${there}`
    throw new Fault('service_not_found', `There is no service ${name}; services: ${there}`, {
      issues: [{ path: `services[${at}].name`, message }],
    })
  }
  const byName = new Map(changes.map((change) => [change.name, change]))
  return services.map((service) => {
    const change = byName.get(service.name)
    return change ? changedService(service, change) : service
  })
}

function changedService(service: ServiceSpec, { env, healthCheck, ...change }: ServiceChange): object {
  const { healthCheck: before, ...rest } = service
  const texts = Object.entries(env ?? {}).map(([key, value]) => [key, String(value)])
  const check = healthCheck === undefined ? before : healthCheck
  return {
    ...rest,
    ...change,
    env: mergeEnvironment(service.env, Object.fromEntries(texts)),
    ...(check && { healthCheck: check }),
  }
}

/** Whether what would run is what runs already, so that without a stamp nothing would happen. */
function sameContent(spec: Spec, patch: SpecPatch): boolean {
  const manifest = { apiVersion: 'gantry/v1', kind: 'Workload', metadata: { name: 'x' }, spec: mergePatch(spec, patch) }
  // What is not valid is told where it is written, under its own name.
  if (workloadKind.check(manifest).length > 0) return false
  const after = workloadKind.parse(manifest).spec
  const hash = ({ services, source }: Spec): string => releaseHash({ services, source, secretVersions: {} })
  return hash(spec) === hash(after)
}

export function scalePatch(spec: Spec, body: ScaleBody): SpecPatch {
  const { replicas, service, cpu, memory, disk, gpu } = body
  if (replicas === undefined && cpu === undefined && memory === undefined && disk === undefined && gpu === undefined) {
    const message = 'Nothing to scale: give replicas, cpu, memory, disk or gpu'
    throw new Fault('schema', message, { issues: [{ path: 'replicas', message: 'is required, or another of them' }] })
  }
  const services = scaleServices(spec.services, {
    ...(service !== undefined && { service }),
    ...(cpu !== undefined && { cpu: String(cpu) }),
    ...(memory !== undefined && { memory: String(memory) }),
    ...(disk !== undefined && { disk: String(disk) }),
    ...(gpu !== undefined && { gpu }),
  })
  return { ...(replicas !== undefined && { replicas }), ...(services !== spec.services && { services }) }
}

/** All of a release: its services or source, and the versions of secrets that it ran with. */
export function rollbackPatch({ source }: Pick<Spec, 'source'>, release: BroughtBack): SpecPatch {
  const pinned = Object.keys(release.secretVersions).length > 0
  return {
    services: release.services,
    ...((source || release.source) && { source: replacing(source, release.source) }),
    secretVersions: pinned ? release.secretVersions : null,
    deployStamp: release.stamp ?? null,
  }
}

export const startPatch: SpecPatch = { run: 'running' }
export const stopPatch: SpecPatch = { run: 'stopped' }
export const restartPatch = (stamp: string): SpecPatch => ({ restartStamp: stamp })
