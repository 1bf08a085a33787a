/** Takes everything of an ended cluster off the machine, by what its footprint says and the system still shows. */
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { type Call, systemClock } from '@gantry/core'
import { busyboxOf } from '../docker/programs.ts'
import { endProcess } from '../process-identity.ts'
import { readFootprint } from './footprint.ts'
import { clusterProcesses, removeGroups } from './leftovers.ts'

const run = promisify(execFile)

/** Its parts are gone already; containers and what holds them are not. With the last of them go mounts, rules and networks. */
export async function clearCluster(folder: string, call: Call): Promise<void> {
  const footprint = await readFootprint(folder)
  if (!footprint) return
  await endProcesses(folder, call)
  await removeGroups(folder)
  await removeLink(footprint.link, footprint.programs, call)
}

/** Until a look finds none: a process may have started another one since it was seen. */
async function endProcesses(folder: string, call: Call): Promise<void> {
  for (;;) {
    const found = await clusterProcesses(folder)
    if (found.length === 0) return
    const patience = { clock: systemClock, patienceMs: 10_000, signal: call.signal }
    await Promise.all(found.map((one) => endProcess(one, ['SIGKILL'], patience)))
  }
}

/** It goes by itself too, but later. */
async function removeLink(link: string, programs: string, call: Call): Promise<void> {
  const isThere = async (): Promise<boolean> => (await readdir('/sys/class/net')).includes(link)
  if (!(await isThere())) return
  await run(busyboxOf(programs), ['ip', 'link', 'delete', link], call).catch(async (error: unknown) => {
    if (await isThere()) throw error
  })
}
