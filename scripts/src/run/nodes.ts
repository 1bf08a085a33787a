/** Other versions of Node to run the suite on, from the npm registry into the user's cache folder. */
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import type { Call } from '@gantry/core'
import { npmPackage } from '@gantry/engines'

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
  return join(await npmPackage({ key: `node-${version}`, name, version }, call), 'bin', 'node')
}
