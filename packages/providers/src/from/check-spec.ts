/** The rules of core hold for whoever calls, with every offending path at once: also for what a deploy makes of a spec. */
import { type WorkloadSpec, workloadKind } from '@gantry/core'
import type { Wishes } from '../records.ts'
import type { Ref } from '../ref.ts'
import type { Release } from '../release.ts'

type Checked = Wishes & Pick<WorkloadSpec, 'services' | 'source'>

export function checkSpec(ref: Ref, spec: Checked, labels: Readonly<Record<string, string>> = {}): void {
  const { type, replicas, run, restartStamp, services, source, restart, strategy, stopGraceSeconds, expose, engine } =
    spec
  const stamp = restartStamp === undefined ? {} : { restartStamp }
  const of = source === undefined ? {} : { source }
  workloadKind.parse({
    apiVersion: 'gantry/v1',
    kind: 'Workload',
    metadata: { name: ref.workload, labels },
    spec: { type, replicas, run, ...stamp, services, ...of, restart, strategy, stopGraceSeconds, expose, engine },
  })
}

/** What a release has of a spec, to be checked together with the rest. */
export function contentOf({ services, source }: Release): Pick<WorkloadSpec, 'services' | 'source'> {
  return { services: [...services], ...(source && { source }) }
}
