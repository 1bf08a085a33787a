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

function isAlive(pid: number): boolean {
  return !['', 'Z', 'X'].includes(/\) (\S)/.exec(read(`/proc/${pid}/stat`))?.[1] ?? '')
}

/** Commands of `exec` bear the mark of the process they run in. */
function commandsOf(id: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => {
    const ours = read(`/proc/${pid}/environ`).includes(`GANTRY_PROCESS=${id}`)
    return ours && read(`/proc/${pid}/cmdline`).includes('run-command')
  }).length
}

/** As the kernel holds them. */
function limitsOf(pid: number): TruthService['limits'] {
  const groups = read(`/proc/${pid}/cgroup`)
    .trim()
    .split('\n')
    .map((line) => line.split(':'))
  const folder = (controller: string): string => {
    const v1 = groups.find(([, controllers]) => controllers?.split(',').includes(controller))
    if (v1) return `/sys/fs/cgroup/${controller}${v1[2]}`
    const v2 = groups.find(([number]) => number === '0')
    return `/sys/fs/cgroup${v2?.[2] ?? ''}`
  }
  const quota = number(`${folder('cpu')}/cpu.cfs_quota_us`)
  const period = number(`${folder('cpu')}/cpu.cfs_period_us`)
  const [max, per] = read(`${folder('cpu')}/cpu.max`)
    .trim()
    .split(' ')
    .map(Number)
  const cpu = quota !== undefined && period ? (1000 * quota) / period : max && per ? (1000 * max) / per : undefined
  const memory = number(`${folder('memory')}/memory.limit_in_bytes`) ?? number(`${folder('memory')}/memory.max`)
  const pids = number(`${folder('pids')}/pids.max`)
  return {
    ...(cpu === undefined || cpu <= 0 ? {} : { cpuMillis: cpu }),
    ...(memory === undefined || memory > 2 ** 60 ? {} : { memoryBytes: memory }),
    ...(pids === undefined ? {} : { pids }),
  }
}

function number(path: string): number | undefined {
  const value = Number.parseInt(read(path), 10)
  return Number.isNaN(value) ? undefined : value
}

/** Processes and their files come and go while we look. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
