/** The values themselves, from wherever they come. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Fault } from '@gantry/core'
import type { World } from '../../world/world.ts'
import type { Source } from './given.ts'

/** As the API takes them: text where it is text, and bytes where it is not. */
export type Values = { readonly text: Record<string, string>; readonly base64: Record<string, string> }

export async function readValues(sources: readonly Source[], world: World): Promise<Values> {
  const text: Record<string, string> = {}
  const base64: Record<string, string> = {}
  for (const source of sources) {
    const bytes = await bytesOf(source, world)
    const asText = textOf(bytes)
    if (asText === undefined) base64[source.key] = bytes.toString('base64')
    else text[source.key] = asText
  }
  return { text, base64 }
}

async function bytesOf(source: Source, { keys, folder, signal }: World): Promise<Buffer> {
  switch (source.from) {
    case 'args':
      return Buffer.from(source.value)
    case 'person':
      return Buffer.from(await keys.ask(`Value of ${source.key}: `, { hidden: true, signal }))
    case 'file':
      return await readFile(resolve(folder, source.path)).catch((cause: NodeJS.ErrnoException) => {
        throw new Fault('bad_request', `The file ${source.path} for "${source.key}" cannot be read (${cause.code})`, {
          cause,
        })
      })
    case 'stdin': {
      const parts: Uint8Array[] = []
      for await (const part of keys.chunks()) parts.push(part)
      const all = Buffer.concat(parts)
      if (all.length === 0) {
        throw new Fault(
          'bad_request',
          `Nothing came through standard input for "${source.key}", and nothing was written`,
        )
      }
      return withoutLineEnd(all)
    }
  }
}

/** What echo and most programs put behind a value is hardly ever meant. */
export function withoutLineEnd(bytes: Buffer): Buffer {
  if (bytes.at(-1) !== 10) return bytes
  return bytes.subarray(0, bytes.at(-2) === 13 ? -2 : -1)
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
