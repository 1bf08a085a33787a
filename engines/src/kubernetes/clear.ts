/** Takes everything of an ended cluster off the machine, by what its footprint says and the system still shows. */
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { type Call, systemClock } from '@gantry/core'
import { removeGroup } from '../docker/clear.ts'
import { controlGroups, processesOf } from '../docker/processes.ts'
import { busyboxOf } from '../docker/programs.ts'
import { endProcess } from '../process-identity.ts'
import { readFootprint } from './footprint.ts'
import { containerdSocket } from './places.ts'

const run = promisify(execFile)

/** Its parts are gone already; containers and what holds them are not. With the last of them go mounts, rules and networks. */
export async function clearCluster(folder: string, call: Call): Promise<void> {
  const footprint = await readFootprint(folder)
  if (!footprint) return
  const { cgroup, link, programs } = footprint
  for (;;) {
    const found = await processesOf(cgroup, containerdSocket(folder))
    if (found.length === 0) break
    const patience = { clock: systemClock, patienceMs: 10_000, signal: call.signal }
    await Promise.all(found.map((one) => endProcess(one, ['SIGKILL'], patience)))
  }
  // It goes by itself too, but later.
  if ((await readdir('/sys/class/net')).includes(link)) {
    await run(busyboxOf(programs), ['ip', 'link', 'delete', link], call).catch(async (error: unknown) => {
      if ((await readdir('/sys/class/net')).includes(link)) throw error
    })
  }
  for (const group of await controlGroups(cgroup)) await removeGroup(group)
}
