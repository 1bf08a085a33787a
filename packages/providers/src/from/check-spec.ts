/** The rules of core hold for whoever calls, with every offending path at once: also for what a deploy makes of a spec. */
import { type WorkloadSpec, workloadKind } from '@gantry/core'
import type { Wishes } from '../records.ts'
import type { Ref } from '../ref.ts'

type Checked = Wishes & Pick<WorkloadSpec, 'services'>

export function checkSpec(ref: Ref, spec: Checked, labels: Readonly<Record<string, string>> = {}): void {
  const { type, replicas, run, restartStamp, services, restart, strategy, stopGraceSeconds, expose, engine } = spec
  const stamp = restartStamp === undefined ? {} : { restartStamp }
  workloadKind.parse({
    apiVersion: 'gantry/v1',
    kind: 'Workload',
    metadata: { name: ref.workload, labels },
    spec: { type, replicas, run, ...stamp, services, restart, strategy, stopGraceSeconds, expose, engine },
  })
}
