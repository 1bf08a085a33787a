/** Pure: what a kubeconfig may name at the place where it stands. */
import { Fault } from '@gantry/core'
import type { Material } from './cluster-config.ts'
import { type Origin, pathFrom } from './kubeconfig.ts'

/** Where something stands, and what is allowed there. */
export type Place = { readonly trusted: boolean; readonly of: string }

export const refused = (message: string): Fault => new Fault('bad_document', message)

/** The text wins over the file, as for kubectl. */
export function material(
  what: string,
  text: string | undefined,
  file: string | undefined,
  origin: Origin,
  { trusted, of }: Place,
): Material | undefined {
  if (text !== undefined) return { text }
  if (file === undefined) return undefined
  const inline = what === 'tokenFile' ? 'token' : `${what}-data`
  if (!trusted) throw refused(`${of} names the file ${file} for ${what}, which is not read here; write ${inline}`)
  const path = pathFrom(origin, file)
  if (path === undefined)
    throw refused(`${of} names the file ${file} for ${what}; a text has no folder: write it in full`)
  return { file: path }
}
