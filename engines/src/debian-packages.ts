/** Debian's packages, unpacked into a folder of ours: nothing is installed, and the system is not touched. */
import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Call } from '@gantry/core'
import { aptGet } from './apt.ts'
import { buildOnce, cacheFolder } from './cache.ts'
import { downloadFromSuite, type Newer } from './debian-suite.ts'

const run = promisify(execFile)

export type DebianPackages = {
  /** What the cached folder is called, before the versions: `docker`. */
  readonly name: string
  readonly packages: readonly string[]
  /** More of them, from another suite than the machine's own, in the versions it had when they were first asked for. */
  readonly newer?: Newer
  /** Makes of what was unpacked what is wanted, before anybody sees it. */
  readonly prepare?: (folder: string, call: Call) => Promise<void>
}

/** Why packages cannot be had here, or undefined. Looks only for the programs that get them. */
export function noDebianPackages(path: string = process.env.PATH ?? ''): string | undefined {
  const missing = ['apt-get', 'dpkg'].filter((program) => !isOnPath(program, path))
  return missing.length === 0
    ? undefined
    : `it comes from Debian's packages, and there is no ${missing.join(', no ')} here`
}

/** The folder they are unpacked in, as if it were the root of a system. Versions are those that apt would install. */
export async function debianPackages(wanted: DebianPackages, call: Call): Promise<string> {
  const key = await keyOf(wanted, call)
  return buildOnce({ root: cacheFolder(), key, build: (folder, call) => unpack(wanted, folder, call) }, call)
}

/** Where apt keeps what its sources offer: an update that brings something new changes it. */
const aptLists = '/var/lib/apt/lists'

/** Apt takes seconds to say which versions it has on a busy machine, so its answer is kept for as long as it holds. */
async function keyOf({ name, packages, newer }: DebianPackages, call: Call): Promise<string> {
  const memo = join(cacheFolder(), `${name}-debian.key`)
  const lists = await stat(aptLists, { bigint: true }).then(({ mtimeNs }) => String(mtimeNs), absent)
  const others = newer ? [newer.suite, ...newer.packages] : []
  const question = [lists ?? 'none', ...packages, ...others].join(' ')
  const [asked, known] = (await readFile(memo, 'utf8').catch(absent))?.split('\n') ?? []
  if (known && asked === question) return known
  const offered = await aptGet(['download', '--print-uris', ...packages], tmpdir(), call)
  // The lines name every file with its checksum: other versions are another folder.
  const wanted = [offered, ...others].join(' ')
  const key = `${name}-debian-${createHash('sha256').update(wanted).digest('hex').slice(0, 12)}`
  await mkdir(cacheFolder(), { recursive: true })
  const draft = `${memo}.${randomUUID()}.draft`
  await writeFile(draft, `${question}\n${key}`)
  await rename(draft, memo)
  return key
}

async function unpack({ packages, newer, prepare }: DebianPackages, folder: string, call: Call): Promise<void> {
  const download = join(folder, 'download')
  await mkdir(download)
  await aptGet(['download', ...packages], download, call)
  if (newer) await downloadFromSuite(newer, download, call)
  for (const file of await readdir(download)) await run('dpkg', ['-x', join(download, file), folder], call)
  await rm(download, { recursive: true })
  await prepare?.(folder, call)
}

function isOnPath(program: string, path: string): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
