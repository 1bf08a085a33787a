/** Other versions of Node to run the suite on, from the npm registry into the user's cache folder. */
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import type { Call } from '@gantry/core'
import { buildOnce, cacheFolder } from '@gantry/engines'

/** The newest of each line when they were last looked at; raised by hand, so that a run tomorrow is the run of today. */
const versions: Readonly<Record<string, string>> = { '20': '20.20.2', '22': '22.23.3', '24': '24.21.0' }

/** `GANTRY_NODES=22,24` → their versions. */
export function wantedNodes(setting: string | undefined): string[] {
  return (setting ?? '').split(',').flatMap((line) => {
    const major = line.trim()
    if (major === '') return []
    const version = versions[major]
    if (!version) throw new Error(`GANTRY_NODES: ${major} is not one of ${Object.keys(versions).join(', ')}`)
    return [version]
  })
}

/** The program itself, without the install script of the package around it. */
export async function nodeProgram(version: string, call: Call): Promise<string> {
  const name = `node-${platform()}-${arch()}`
  const root = cacheFolder()
  const build = (folder: string): Promise<void> => npmInstall(folder, `${name}@${version}`, call)
  const folder = await buildOnce({ root, key: `node-${version}`, build }, call)
  return join(folder, 'node_modules', name, 'bin', 'node')
}

async function npmInstall(folder: string, what: string, { signal }: Call): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"private":true}\n')
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', what]
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
