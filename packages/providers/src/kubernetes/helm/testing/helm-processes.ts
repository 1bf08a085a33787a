/** The helms that run on this machine for a release. */
import { sleep, systemClock, withDeadline } from '@gantry/core'
import { allPids, readProc, statOf } from '../../../proc/processes.ts'
import { call } from '../../../testing/helm-rig.ts'

export type HelmProcess = { readonly pid: number; readonly argv: readonly string[]; readonly environ: string }

/** `upgrade web`, in the folder of one rig. */
export function helmProcesses(folder: string, verb: string, release: string): readonly HelmProcess[] {
  return allPids().flatMap((pid) => {
    const argv = readProc(`/proc/${pid}/cmdline`)?.toString('utf8').split('\0') ?? []
    const environ = readProc(`/proc/${pid}/environ`)?.toString('utf8') ?? ''
    const isOne = argv[1] === verb && argv[2] === release && environ.includes(folder) && statOf(pid) !== undefined
    return isOne ? [{ pid, argv, environ }] : []
  })
}

export async function theHelm(folder: string, verb: string, release: string): Promise<HelmProcess> {
  const deadline = withDeadline(systemClock, 30_000, `A helm ${verb} ${release}`, call)
  try {
    for (;;) {
      const [found] = helmProcesses(folder, verb, release)
      if (found) return found
      await sleep(systemClock, 5, deadline)
    }
  } finally {
    deadline.clear()
  }
}
