/** Which helm is run: found once, and asked what it is. */
import { accessSync, constants } from 'node:fs'
import { stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { type Call, Fault } from '@gantry/core'
import { type HelmMajor, majorOf } from '../command/argv.ts'

export type HelmProgram = { readonly path: string; readonly version: string; readonly major: HelmMajor }

const howTo =
  'install Helm 3 or 4 on the machine of the server, or name its path in the settings of the Provider (helm)'

/** Throws `capability_missing`, saying what to do. */
export function findHelm(given: string | undefined, path: string | undefined): string {
  if (given !== undefined) {
    if (isAbsolute(given) && isProgram(given)) return given
    throw new Fault('capability_missing', `There is no program that can be run at ${given}: ${howTo}`)
  }
  for (const folder of (path ?? '').split(delimiter)) {
    // A folder that is not absolute means another one wherever we are started.
    if (isAbsolute(folder) && isProgram(join(folder, 'helm'))) return join(folder, 'helm')
  }
  throw new Fault('capability_missing', `No helm is in the PATH: ${howTo}`)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Asked again only when the file is another one. */
export class HelmProgramFinder {
  readonly #given: string | undefined
  readonly #ask: (path: string, call: Call) => Promise<string>
  #known: { readonly at: number; readonly program: HelmProgram } | undefined

  constructor(given: string | undefined, ask: (path: string, call: Call) => Promise<string>) {
    this.#given = given
    this.#ask = ask
  }

  async program(call: Call): Promise<HelmProgram> {
    const path = findHelm(this.#given, process.env.PATH)
    const { mtimeMs } = await stat(path)
    if (this.#known?.program.path === path && this.#known.at === mtimeMs) return this.#known.program
    const version = (await this.#ask(path, call)).trim()
    const major = majorOf(version)
    if (!major) {
      throw new Fault('capability_missing', `${path} says that it is ${version || 'nothing at all'}: ${howTo}`)
    }
    this.#known = { at: mtimeMs, program: { path, version, major } }
    return this.#known.program
  }
}
