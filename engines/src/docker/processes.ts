/** The processes of an instance that its daemons started: those in its control groups, and the shims above them. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { identify, type ProcessIdentity } from '../process-identity.ts'

const groupsRoot = '/sys/fs/cgroup'

/** Also those whose daemon is dead: a shim is known by the socket it was told to report to. */
export async function processesOf(cgroup: string, socket: string): Promise<ProcessIdentity[]> {
  const grouped = (await Promise.all((await controlGroups(cgroup)).map(membersOf))).flat()
  const pids = new Set([...grouped, ...(await shims(socket))])
  return [...pids].flatMap((pid) => identify(pid) ?? [])
}

/** One per hierarchy where they are mounted apart, or the one there is. */
export async function controlGroups(name: string): Promise<string[]> {
  const hierarchies = await readdir(groupsRoot, { withFileTypes: true })
  const folders = hierarchies.filter((entry) => entry.isDirectory()).map((entry) => join(groupsRoot, entry.name))
  const found = await Promise.all(
    [groupsRoot, ...folders].map(async (folder) => ((await gone(readdir(folder)))?.includes(name) ? [folder] : [])),
  )
  return found.flat().map((folder) => join(folder, name))
}

/** Of a group and all below it. */
export async function membersOf(group: string): Promise<number[]> {
  const [members, entries] = await Promise.all([
    gone(readFile(join(group, 'cgroup.procs'), 'utf8')),
    gone(readdir(group, { withFileTypes: true })),
  ])
  const folders = (entries ?? []).filter((entry) => entry.isDirectory())
  const inner = await Promise.all(folders.map((entry) => membersOf(join(group, entry.name))))
  return [...(members ?? '').split('\n').filter(Boolean).map(Number), ...inner.flat()]
}

async function shims(socket: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Boolean)
  const matches = await Promise.all(
    pids.map(async (pid) => {
      const args = ((await gone(readFile(`/proc/${pid}/cmdline`, 'utf8'))) ?? '').split('\0')
      return args[0]?.includes('containerd-shim') === true && args.includes(socket)
    }),
  )
  return pids.filter((_, at) => matches[at])
}

/** Undefined for what went away while it was looked at, or is not to be listed. */
async function gone<T>(look: Promise<T>): Promise<T | undefined> {
  return look.catch((error: NodeJS.ErrnoException) => {
    if (['ENOENT', 'ESRCH', 'ENODEV', 'EOPNOTSUPP', 'ENOTDIR'].includes(error.code ?? '')) return undefined
    throw error
  })
}
