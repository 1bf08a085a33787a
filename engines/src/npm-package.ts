/** Programs that travel in npm packages: fetched once per version into the cache folder, their install scripts not run. */
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Call } from '@gantry/core'
import { buildOnce, cacheFolder } from './cache.ts'

export type NpmPackage = {
  /** What the cached folder is called: `node-22.23.3`. */
  readonly key: string
  readonly name: string
  readonly version: string
  /** Makes of the package what is wanted, before anybody sees it; left out: it is used as it came. */
  readonly prepare?: (packageFolder: string, call: Call) => Promise<void>
}

/** The folder of the package. */
export async function npmPackage({ key, name, version, prepare }: NpmPackage, call: Call): Promise<string> {
  const inside = (folder: string): string => join(folder, 'node_modules', ...name.split('/'))
  const build = async (folder: string): Promise<void> => {
    await npmInstall(folder, `${name}@${version}`, call)
    await prepare?.(inside(folder), call)
  }
  return inside(await buildOnce({ root: cacheFolder(), key, build }, call))
}

async function npmInstall(folder: string, what: string, { signal }: Call): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"private":true}\n')
  // A peer of a package is for those who program with it, and not for those who want a file out of it.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps', what]
  // npm says where it is to the scripts that it runs; started any other way, it is looked for like any program.
  const npm = process.env.npm_execpath
  const [program, ...first] = npm ? [process.execPath, npm] : ['npm']
  await new Promise<void>((resolve, reject) => {
    const child = spawn(program ?? 'npm', [...first, ...args], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      signal,
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`npm could not install ${what}: exit code ${code}`)),
    )
  })
}
