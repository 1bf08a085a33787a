/** What a process of this machine takes, as the kernel counts it. */
import { readFile } from 'node:fs/promises'

export type Footprint = {
  readonly residentMb: number
  /** The most it ever was. */
  readonly peakMb: number
  readonly cpuMs: number
  /** How long its first thread could have run and had no core: what others on the machine took from it. */
  readonly waitedMs: number
}

/** Of a tick of the kernel, which has been a hundredth of a second on every Linux that Node runs on. */
const tickMs = 10

export async function footprint(pid: number): Promise<Footprint> {
  const [status, stat, schedule] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8'),
  ])
  const mb = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024
  // Behind the name, which may have anything in it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return {
    residentMb: mb('VmRSS'),
    peakMb: mb('VmHWM'),
    cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs,
    waitedMs: Number(schedule.split(' ')[1]) / 1e6,
  }
}
