/** Bytes that come, into a file that is whole or not there. */
import { createHash } from 'node:crypto'
import { access, open, rename, rm } from 'node:fs/promises'
import { Fault } from '@gantry/core'

export type FileWish = {
  readonly path: string
  readonly force: boolean
  /** Told how many have come so far. */
  readonly came: (bytes: number) => Promise<void>
  /** Looks at the whole before it has its name; throws if it is none. */
  readonly check: (path: string) => Promise<void>
}

export type Fetched = { readonly bytes: number; readonly sha256: string }

export async function fetchFile(content: AsyncIterable<Uint8Array>, wish: FileWish): Promise<Fetched> {
  const { path, force, came, check } = wish
  if (!force && (await isThere(path))) {
    throw new Fault('already_exists', `${path} is there already; choose another name, or write over it with --force`)
  }
  const partial = `${path}.${process.pid}.partial`
  const hash = createHash('sha256')
  let bytes = 0
  try {
    const file = await open(partial, 'wx', 0o600).catch((error: unknown) => {
      throw unwritable(path, error)
    })
    try {
      for await (const chunk of content) {
        await file.write(chunk).catch((error: unknown) => {
          throw unwritable(path, error)
        })
        hash.update(chunk)
        bytes += chunk.length
        await came(bytes)
      }
      await file.sync()
    } finally {
      await file.close()
    }
    await check(partial)
    await rename(partial, path)
    return { bytes, sha256: hash.digest('hex') }
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}

function unwritable(path: string, cause: unknown): Fault {
  const { code } = cause as NodeJS.ErrnoException
  const advice = 'check that the folder is there, that you may write to it, and that it has room'
  return new Fault('bad_request', `${path} cannot be written (${code}): ${advice}`, { cause })
}
