/** Docker Engine and what it runs, from Debian's packages, with the test image made ready beside them. */
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Call } from '@gantry/core'
import { debianPackages } from '../debian-packages.ts'
import { iptablesPackages } from '../iptables-packages.ts'
import { busyboxLayer } from './busybox-layer.ts'

const run = promisify(execFile)

const daemons = ['docker.io', 'containerd'] as const

/** What the engine runs, and the libraries that a bare machine may lack. */
const around = ['runc', 'tini', 'busybox-static', ...iptablesPackages, 'libdevmapper1.02.1', 'libseccomp2'] as const

/**
 * Docker names its chains the same on every machine, and a daemon that starts empties them: two at once would take each
 * other's rules away, and a developer's own Docker would lose its published ports. So ours get their rules under a name
 * of their own, by a program called iptables that changes nothing but that name.
 */
const iptables = (name: string): string => `#!/bin/sh
for arg do
  shift
  case $arg in
    DOCKER) arg=$GANTRY_CHAINS ;;
    DOCKER-*) arg=$GANTRY_CHAINS-\${arg#DOCKER-} ;;
  esac
  set -- "$@" "$arg"
done
exec "$GANTRY_XTABLES" ${name} "$@"
`

/** Of the machine's own suite. */
export function installDocker(call: Call): Promise<string> {
  return debianPackages({ name: 'docker', packages: [...daemons, ...around], prepare }, call)
}

/** The two daemons of a newer suite. What they run stays the machine's: runc and iptables want a libc as new as theirs. */
export function installNewerDocker(suite: string, call: Call): Promise<string> {
  const newer = { suite, packages: daemons }
  return debianPackages({ name: `docker-${suite}`, packages: around, newer, prepare }, call)
}

/** 20 of 20.10.24. */
export async function majorOf(programs: string, call: Call): Promise<number> {
  const { stdout } = await run(dockerdOf(programs), ['--version'], { ...call, env: await libraryEnv(programs) })
  return Number(/version (\d+)\./.exec(stdout)?.[1])
}

export function dockerdOf(programs: string): string {
  return join(programs, 'usr', 'sbin', 'dockerd')
}

async function prepare(folder: string, call: Call): Promise<void> {
  await mkdir(ownPrograms(folder))
  for (const name of ['iptables', 'ip6tables']) {
    await writeFile(join(ownPrograms(folder), name), iptables(name), { mode: 0o755 })
  }
  await writeLayer(folder, call)
}

/** Makes the files of the test image of what was unpacked. */
export async function writeLayer(folder: string, call: Call): Promise<void> {
  const busybox = busyboxOf(folder)
  const { stdout } = await run(busybox, ['--list'], call)
  await writeFile(layerOf(folder), busyboxLayer(await readFile(busybox), stdout.trim().split('\n')))
}

export function busyboxOf(programs: string): string {
  return join(programs, 'bin', 'busybox')
}

/** The files of the test image, as the one layer of it. */
export function layerOf(programs: string): string {
  return join(programs, 'busybox-layer.tar')
}

/** What the kernel of this machine takes rules by: the newer interface, or else the older one. */
export async function xtablesOf(programs: string, call: Call): Promise<string> {
  const [newer, older] = ['nft', 'legacy'].map((kind) => join(programs, 'usr', 'sbin', `xtables-${kind}-multi`))
  const env = await libraryEnv(programs)
  const works = await run(newer ?? '', ['iptables', '-t', 'nat', '-S'], { ...call, env }).then(
    () => true,
    () => false,
  )
  call.signal.throwIfAborted()
  return (works ? newer : older) ?? ''
}

/** The environment of every program of the engine: nothing of what a user has set for a Docker of their own. */
export async function programEnv(programs: string): Promise<Record<string, string>> {
  const folders = [ownPrograms(programs), join(programs, 'usr', 'bin'), join(programs, 'usr', 'sbin')]
  const system = ['/usr/sbin', '/usr/bin', '/sbin', '/bin']
  return { ...(await libraryEnv(programs)), PATH: [...folders, ...system].join(delimiter), LC_ALL: 'C', TZ: 'UTC' }
}

async function libraryEnv(programs: string): Promise<Record<string, string>> {
  const roots = [join(programs, 'usr', 'lib'), join(programs, 'lib')]
  const found = await Promise.all(roots.map(async (root) => (await namesIn(root)).map((name) => join(root, name))))
  const libraries = found.flat().filter((folder) => folder.endsWith('-linux-gnu'))
  const tables = libraries.map((folder) => join(folder, 'xtables'))
  return { LD_LIBRARY_PATH: libraries.join(delimiter), XTABLES_LIBDIR: tables.join(delimiter) }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

function ownPrograms(folder: string): string {
  return join(folder, 'gantry-bin')
}
