/**
 * The cluster's own network and its own view of the machine's folders, which nobody else sees. A process that sleeps
 * holds both: when it and all others in them are gone, so are interfaces, rules and mounts.
 */
import { execFile } from 'node:child_process'
import { mkdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Call, Fault, sleep, systemClock } from '@gantry/core'
import { busyboxOf } from '../docker/programs.ts'
import type { Site } from '../engine.ts'
import { childEnd } from '../keeper/children.ts'
import * as places from './places.ts'
import { pretendProcessors } from './processors.ts'
import { debianOf } from './programs.ts'

const run = promisify(execFile)

export type Inside = {
  /** The program and arguments that run this one in there, as the same process. */
  command(program: string, args: readonly string[]): { readonly program: string; readonly args: readonly string[] }
  /** How the holder ended, in words; never rejects. */
  readonly end: Promise<string>
  stop(): void
}

/** Where programs write by fixed names: each cluster has its own. What is installed or built lies elsewhere. */
export const ownFolders = { run: '/run', 'var-lib': '/var/lib', 'var-log': '/var/log' } as const

/** A kubelet sets these for the whole machine, unless it finds them so. */
const ownSettings = {
  'vm/overcommit_memory': 1,
  'vm/panic_on_oom': 0,
  'kernel/panic': 10,
  'kernel/panic_on_oops': 1,
  'kernel/keys/root_maxkeys': 1_000_000,
  'kernel/keys/root_maxbytes': 25_000_000,
} as const

export async function openInside({ folder, programs, spawn }: Site, call: Call): Promise<Inside> {
  const busybox = busyboxOf(debianOf(programs))
  const output = places.log(folder, 'inside')
  const args = ['unshare', '-n', '-m', '--propagation', 'private', '--', busybox, 'sleep', '1000000000']
  const holder = spawn(busybox, args, { env: {}, output })
  const end = childEnd(holder).catch((error: unknown) => `could not be run: ${String(error)}`)
  let gone: string | undefined
  void end.then((how) => {
    gone = how
  })
  const at = `/proc/${holder.pid}/ns`
  const isApart = async (kind: string): Promise<boolean> => {
    const [its, ours] = await Promise.all([
      readlink(`${at}/${kind}`).catch(() => ''),
      readlink(`/proc/self/ns/${kind}`),
    ])
    return its !== '' && its !== ours
  }
  // It makes the one after the other: the mounts are private only when the last is done, which a change of its name tells.
  while (!((await isApart('net')) && (await isApart('mnt')) && (await isSleeping(holder.pid)))) {
    if (gone) throw new Fault('engine_refused', `The holder of the cluster's network ${gone}; see ${output}`)
    await sleep(systemClock, 10, call)
  }
  const inside: Inside = {
    command: (program, args) => ({
      program: busybox,
      args: ['nsenter', `-n${at}/net`, `-m${at}/mnt`, '--', program, ...args],
    }),
    end,
    stop: () => holder.kill('SIGKILL'),
  }
  await makeOwn(folder, (args) => runInside(inside, busybox, args, call))
  return inside
}

/** Runs a short program to its end. */
export async function runInside(inside: Inside, program: string, args: readonly string[], call: Call): Promise<string> {
  const command = inside.command(program, args)
  return (await run(command.program, command.args, { signal: call.signal })).stdout
}

async function makeOwn(folder: string, tell: (args: readonly string[]) => Promise<string>): Promise<void> {
  for (const [name, place] of Object.entries(ownFolders)) {
    await mkdir(places.standIn(folder, name), { mode: 0o755 })
    await tell(['mount', '-o', 'bind', places.standIn(folder, name), place])
  }
  const settings = places.standIn(folder, 'settings')
  await mkdir(settings)
  for (const [name, value] of Object.entries(ownSettings)) {
    const file = join(settings, name.replaceAll('/', '.'))
    await writeFile(file, `${value}\n`)
    await tell(['mount', '-o', 'bind', file, `/proc/sys/${name}`])
  }
  for (const [own, place] of await pretendProcessors(settings)) await tell(['mount', '-o', 'bind', own, place])
  // Among themselves: what a kubelet mounts for a container that runs already has to arrive there.
  await tell(['mount', '--make-rshared', '/'])
}

/** The arguments of a process are those of the program it runs now. */
async function isSleeping(pid: number | undefined): Promise<boolean> {
  const args = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
  return args[1] === 'sleep'
}
