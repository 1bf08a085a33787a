/** The master key in a file of its own, made on first start. Keep a copy apart from the backups. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Call } from '@gantry/core'
import { type KeyRing, parseKeyRing, unusable } from './key-ring.ts'
import type { KeySource } from './key-source.ts'

export function fileKeys(path: string): KeySource {
  return {
    load: async (mayCreate, { signal }) => {
      signal.throwIfAborted()
      const text = await read(path)
      if (text !== undefined) return parseKeyRing(text, path)
      if (!mayCreate) throw unusable(`${path} is gone, and the vault is not empty`)
      return await create(path)
    },
    addKey: async ({ signal }: Call) => {
      signal.throwIfAborted()
      const text = `${newKey()}\n${(await read(path)) ?? ''}`
      const ring = parseKeyRing(text, path)
      // Beside it first: at no time is there a file with half a key, or none.
      const fresh = `${path}.new`
      await write(fresh, 'w', text)
      await rename(fresh, path)
      await syncFolder(path)
      return ring
    },
  }
}

async function create(path: string): Promise<KeyRing> {
  const text = `${newKey()}\n`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // Never over one that is there: whoever was faster has made the key.
  await write(path, 'wx', text)
  await syncFolder(path)
  return parseKeyRing(text, path)
}

const newKey = (): string => randomBytes(32).toString('base64')

async function read(path: string): Promise<string | undefined> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (isAbsent(error)) return undefined
    throw unusable(`${path} cannot be read`, error)
  })
  if (!file) return undefined
  try {
    const { mode } = await file.stat()
    if ((mode & 0o077) !== 0) throw unusable(`${path} can be read by others; take that away with chmod 600`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

async function write(path: string, flags: 'w' | 'wx', text: string): Promise<void> {
  const file = await open(path, flags, 0o600).catch((error: unknown) => {
    throw unusable(`${path} cannot be written`, error)
  })
  try {
    await file.chmod(0o600)
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A name is on the disk only when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
