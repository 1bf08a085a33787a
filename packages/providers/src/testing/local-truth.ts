/** What really runs on this machine, read past the local engine: from the supervisor's list, /proc, control groups and disk. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call } from '@gantry/core'
import type { Truth, TruthObject, TruthService } from '../contract/harness.ts'
import { label } from '../labels.ts'
import { instanceKey } from '../local/places.ts'
import type { InstanceRecord, ReplicaRecord, VolumeRecord } from '../local/records.ts'
import type { Supervisor } from '../local/supervisor/supervisor.ts'
import type { Ref } from '../ref.ts'
import { isHeir } from '../volume-owner.ts'
import { isAlive, limitsOf, readOrEmpty } from './kernel.ts'

export async function localTruth(
  supervisor: Supervisor,
  records: string,
  installation: string,
  ref: Ref,
  call: Call,
): Promise<Truth> {
  const labels = { [label.installation]: installation, [label.uid]: ref.uid, [label.slot]: ref.slot }
  const processes = await supervisor.list(labels, call)
  const own = <T extends { readonly installation: string; readonly ref: Ref }>(kind: string): T[] =>
    readRecords<T>(join(records, kind)).filter(
      (record) => record.installation === installation && instanceKey(record.ref) === instanceKey(ref),
    )
  const volumes = readRecords<VolumeRecord>(join(records, 'volumes')).filter((each) =>
    isHeir(each, { installation, ref }),
  )
  const objects: TruthObject[] = [
    ...own<InstanceRecord>('instances').map((each) => ({ id: 'instance', kind: 'instance', labels: each.labels })),
    ...own<ReplicaRecord>('replicas').map((each) => ({ id: each.engineId, kind: 'replica', labels: each.labels })),
    ...processes.map(({ id, labels: found }) => ({ id, kind: 'process', labels: found })),
    ...volumes.map((volume) => ({ id: volume.id, kind: 'volume', labels: volume.labels })),
  ]
  const services = processes.map(({ id, labels: found, pid, run, startedAt }): TruthService => {
    const running = pid !== undefined && isAlive(pid)
    return {
      replica: Number(found[label.replica]),
      service: found[label.service] ?? '',
      processId: `${id} ${run} ${pid}`,
      running,
      startedAt: startedAt?.getTime() ?? 0,
      commands: commandsOf(id),
      limits: running ? limitsOf(pid) : {},
      requests: {},
    }
  })
  return { objects, services, volumes: volumes.map(({ id, name, index }) => ({ id, name, replica: index })) }
}

function readRecords<T>(folder: string): T[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as T)
}

/** Commands of `exec` bear the mark of the process they run in. */
function commandsOf(id: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => {
    const ours = readOrEmpty(`/proc/${pid}/environ`).includes(`GANTRY_PROCESS=${id}`)
    return ours && readOrEmpty(`/proc/${pid}/cmdline`).includes('run-command')
  }).length
}
