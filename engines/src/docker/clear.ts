/** Takes everything of an ended instance off the machine, by what its footprint says and the system still shows. */
import { execFile } from 'node:child_process'
import { readdir, readFile, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Call, systemClock } from '@gantry/core'
import { endProcess } from '../process-identity.ts'
import { type Footprint, readFootprint } from './footprint.ts'
import { mountsBelow } from './leftovers.ts'
import { interfaces, isIn } from './network.ts'
import { containerdSocket, shimState } from './places.ts'
import { controlGroups, processesOf } from './processes.ts'
import { busyboxOf } from './programs.ts'
import { removeRules } from './rules.ts'

const run = promisify(execFile)

/** The two daemons are gone already; whatever they had started is not. */
export async function clearDocker(folder: string, call: Call): Promise<void> {
  const footprint = await readFootprint(folder)
  if (!footprint) return
  await endProcesses(folder, footprint, call)
  await removeShimSockets(folder)
  for (const point of mountsBelow(await readFile('/proc/self/mountinfo', 'utf8'), folder)) {
    await run(busyboxOf(footprint.programs), ['umount', '-l', point], call)
  }
  const bridges = await removeRules(footprint, call)
  await removeBridges(footprint, bridges, call)
  for (const group of await controlGroups(footprint.cgroup)) await removeGroup(group)
}

/** Until a look finds none: a process may have started another one since it was seen. */
async function endProcesses(folder: string, { cgroup }: Footprint, call: Call): Promise<void> {
  for (;;) {
    const found = await processesOf(cgroup, containerdSocket(folder))
    if (found.length === 0) return
    const patience = { clock: systemClock, patienceMs: 10_000, signal: call.signal }
    await Promise.all(found.map((one) => endProcess(one, ['SIGKILL'], patience)))
  }
}

/** They lie in a folder of the whole system, under names that only their containers' folders know. */
async function removeShimSockets(folder: string): Promise<void> {
  for (const file of await readdir(shimState(folder), { recursive: true }).catch(absent)) {
    if (!file.endsWith('/address')) continue
    const address = await readFile(join(shimState(folder), file), 'utf8')
    await rm(address.trim().replace('unix://', ''), { force: true })
  }
}

async function removeBridges({ programs, subnet }: Footprint, named: Set<string>, call: Call): Promise<void> {
  const addressed = (await interfaces(programs, call)).filter(({ address }) => isIn(subnet, address))
  const present = await readdir('/sys/class/net')
  for (const name of new Set([...named, ...addressed.map((one) => one.name)])) {
    if (present.includes(name)) await run(busyboxOf(programs), ['ip', 'link', 'delete', name], call)
  }
}

/** A group can be removed when nothing is in it, the inner ones first. */
export async function removeGroup(folder: string): Promise<void> {
  const inner = await readdir(folder, { withFileTypes: true }).catch(absent)
  for (const entry of inner) if (entry.isDirectory()) await removeGroup(join(folder, entry.name))
  await rmdir(folder).catch(absent)
}

function absent(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}
