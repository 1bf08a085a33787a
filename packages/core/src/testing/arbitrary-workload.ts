/** Valid workloads for property tests: of the core itself, of stores and of providers. */
import fc from 'fast-check'
import type { Manifest } from '../kinds/envelope.ts'
import type { WorkloadInput, WorkloadSpec } from '../kinds/workload/spec.ts'
import { workloadKind } from '../kinds/workload/workload.ts'
import { arbitraryLabels, arbitraryName, sometimes } from './arbitrary-fields.ts'
import { arbitraryServiceInput, type ServiceInput } from './arbitrary-service.ts'

type StrategyInput = NonNullable<WorkloadInput['strategy']>
type SourceInput = NonNullable<WorkloadInput['source']>

const gates = {
  minReadySeconds: fc.integer({ min: 0, max: 60 }),
  progressDeadlineSeconds: fc.integer({ min: 1, max: 600 }),
  onFailure: fc.constantFrom('rollback' as const, 'pause' as const),
}

const climbing = fc
  .uniqueArray(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 4 })
  .map((weights) => weights.toSorted((left, right) => left - right))
  .map((weights) =>
    weights.map((weight, at) => (at % 2 ? { weight, manual: true as const } : { weight, pauseSeconds: 5 })),
  )

const oneByOne: fc.Arbitrary<StrategyInput> = fc.oneof(
  sometimes({ ...gates, type: fc.constant('recreate' as const) }),
  sometimes({ ...gates, maxSurge: fc.constant(0), maxUnavailable: fc.integer({ min: 1, max: 3 }) }),
)

const doubling: fc.Arbitrary<StrategyInput> = fc.oneof(
  sometimes({ ...gates, maxSurge: fc.integer({ min: 1, max: 3 }), maxUnavailable: fc.integer({ min: 0, max: 3 }) }),
  sometimes({ autoPromote: fc.boolean(), warmSeconds: fc.integer({ min: 0, max: 60 }) }).map((fields) => ({
    ...fields,
    type: 'blue_green' as const,
  })),
  climbing.map((steps) => ({ type: 'canary' as const, steps })),
)

/** The first is main; the others follow it or come before it, and wait only for those that were there before. */
const services = fc
  .integer({ min: 1, max: 4 })
  .chain((count) =>
    fc
      .tuple(
        fc.tuple(...Array.from({ length: count }, (_, at) => arbitraryServiceInput(at))),
        fc.array(fc.constantFrom('sidecar' as const, 'init' as const), { minLength: count, maxLength: count }),
        fc.array(fc.boolean(), { minLength: count, maxLength: count }),
      )
      .map(([list, roles, waits]) => list.map((service, at) => placed(list, service, at, roles, Boolean(waits[at])))),
  )

function placed(
  list: readonly ServiceInput[],
  { healthCheck, ...service }: ServiceInput,
  at: number,
  roles: readonly ('sidecar' | 'init')[],
  waits: boolean,
): ServiceInput {
  const roleOf = (index: number): 'main' | 'sidecar' | 'init' => (index === 0 ? 'main' : (roles[index] ?? 'sidecar'))
  const role = roleOf(at)
  const before = list.slice(0, at).filter((_, index) => role !== 'init' || roleOf(index) === 'init')
  return {
    ...service,
    role,
    ...(role !== 'init' && healthCheck && { healthCheck }),
    ...(waits && { dependsOn: before.map(({ name }) => ({ service: name })) }),
  }
}

/** A spec as a user may write it, with fields left out. */
export const arbitraryWorkloadInput: fc.Arbitrary<WorkloadInput> = fc
  .constantFrom('deployment' as const, 'stateful_set' as const)
  .chain((type) =>
    fc
      .tuple(
        services,
        sometimes({
          provider: arbitraryName,
          replicas: fc.integer({ min: 0, max: 5 }),
          run: fc.constantFrom('running' as const, 'stopped' as const),
          dependsOn: fc
            .uniqueArray(arbitraryName, { maxLength: 2 })
            .map((names) => names.map((workload) => ({ workload }))),
          restart: sometimes({
            policy: fc.constantFrom('always' as const, 'on_failure' as const, 'never' as const),
            maxPerHour: fc.integer({ min: 0, max: 100 }),
          }),
          strategy: type === 'stateful_set' ? oneByOne : fc.oneof(oneByOne, doubling),
          stopGraceSeconds: fc.integer({ min: 0, max: 60 }),
          expose: fc.constantFrom('none' as const, 'node' as const, 'load_balancer' as const),
        }),
      )
      .map(([list, fields]) => ({ ...fields, type, services: list })),
  )

const chart: fc.Arbitrary<SourceInput['helm']> = fc
  .tuple(
    fc.constantFrom(
      { archive: 'H4sIAAAA' },
      { path: '/srv/charts/web' },
      { repository: { url: 'https://charts.example', name: 'web' } },
    ),
    sometimes({
      releaseName: arbitraryName,
      valuesFiles: fc.array(fc.constantFrom('a: 1', ''), { maxLength: 2 }),
      values: fc.dictionary(arbitraryName, fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), arbitraryName)),
      set: fc.dictionary(arbitraryName, fc.oneof(fc.integer(), fc.boolean(), arbitraryName)),
      wait: fc.constant(true),
      timeoutSeconds: fc.integer({ min: 1, max: 3600 }),
      hooks: fc.boolean(),
      crds: fc.boolean(),
    }),
  )
  .map(([where, fields]) => ({ chart: where, ...fields }))

const source: fc.Arbitrary<SourceInput> = fc.oneof(
  fc.constantFrom('kind: List', 'a').map((text) => ({ manifests: { text } })),
  chart.map((helm) => ({ helm })),
)

/** A whole object that is made of what somebody else wrote. */
export const arbitrarySourceDocument = fc
  .tuple(arbitraryName, source, sometimes({ provider: arbitraryName, strategy: sometimes(gates) }))
  .map(([name, of, fields]) => ({
    apiVersion: 'gantry/v1',
    kind: 'Workload',
    metadata: { name, labels: {} },
    spec: { ...fields, source: of },
  }))

/** A whole object as a user may write it. */
export const arbitraryWorkloadDocument = fc
  .tuple(arbitraryName, arbitraryLabels, arbitraryWorkloadInput)
  .map(([name, labels, spec]) => ({ apiVersion: 'gantry/v1', kind: 'Workload', metadata: { name, labels }, spec }))

/** A checked and complete workload. */
export const arbitraryWorkload: fc.Arbitrary<Manifest<WorkloadSpec>> = arbitraryWorkloadDocument.map((document) =>
  workloadKind.parse(document),
)
