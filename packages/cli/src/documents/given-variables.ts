/** What variables stand for: `--env-file` and `--var`, and nothing of the environment that nobody asked for. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { Fault } from '@gantry/core'
import type { Variables } from './variables.ts'

/** `undefined` if neither was given: then `${VAR}` is a text like any other. */
export async function givenVariables(
  files: readonly string[],
  pairs: readonly string[],
  folder: string,
): Promise<Variables | undefined> {
  if (files.length === 0 && pairs.length === 0) return undefined
  const values: Record<string, string> = {}
  for (const file of files) Object.assign(values, await fromFile(file, folder))
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1) throw new Fault('bad_request', `--var ${pair} gives no value; write --var NAME=VALUE`)
    values[pair.slice(0, at)] = pair.slice(at + 1)
  }
  return values
}

async function fromFile(file: string, folder: string): Promise<Variables> {
  try {
    return parseEnv(await readFile(resolve(folder, file), 'utf8')) as Variables
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : (cause as Error).message
    throw new Fault('bad_request', `The variables in ${file} cannot be read: ${why}`, { cause })
  }
}
