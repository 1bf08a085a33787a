import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@gantry/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseKeyRing } from './key-ring.ts'
import { keySource } from './key-source.ts'
import { call, put, vaultSubject } from './testing/subject.ts'

const key = randomBytes(32).toString('base64')
const { id } = parseKeyRing(key, 'the test').newest
const unusable = expect.objectContaining({ reason: 'master_key_unusable' })

async function subject() {
  const made = await vaultSubject()
  onTestFinished(() => made.dispose())
  return made
}

async function keyFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-keys-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'deep', 'master.key')
}

describe('the master key in a file', () => {
  it('is made on first start for its owner only, and found again', async () => {
    const path = await keyFile()
    const made = await keySource({ type: 'file', path }).load(true, call)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await keySource({ type: 'file', path }).load(false, call)).newest.id).toBe(made.newest.id)
  })

  it('is not made anew when something was sealed with one that is gone', async () => {
    const path = await keyFile()
    await expect(keySource({ type: 'file', path }).load(false, call)).rejects.toEqual(unusable)
  })

  it('is refused where others can read it', async () => {
    const path = await keyFile()
    const source = keySource({ type: 'file', path })
    await source.load(true, call)
    await chmod(path, 0o640)
    await expect(source.load(true, call)).rejects.toEqual(unusable)
  })
})

describe('the master key from elsewhere', () => {
  const node = (program: string, ...args: string[]) =>
    keySource({ type: 'command', argv: [process.execPath, '-e', program, ...args], clock: systemClock })

  it('comes from the environment', async () => {
    const source = keySource({ type: 'environment', name: 'KEY', environment: { KEY: key } })
    expect((await source.load(true, call)).newest.id).toBe(id)
    const empty = keySource({ type: 'environment', name: 'KEY', environment: {} })
    await expect(empty.load(true, call)).rejects.toEqual(unusable)
  })

  it('comes from a program, whose arguments no shell reads', async () => {
    const source = node('console.log(process.argv[1].slice(2))', `$;${key}`)
    expect((await source.load(true, call)).newest.id).toBe(id)
  })

  it.each([
    ['fails', 'console.log("secret words"); process.exit(3)', /ended with 3/],
    ['prints something else', 'console.log("secret words")', /not 32 bytes/],
    ['prints nothing', '', /no key/],
    ['prints without end', 'for (;;) process.stdout.write("x".repeat(65536))', /more than keys/],
  ])('is refused of a program that %s, without a word of what it said', async (_, program, why) => {
    const error = await node(program)
      .load(true, call)
      .catch((reason: unknown) => reason)
    expect(error).toEqual(unusable)
    expect(String(error)).toMatch(why)
    expect(String(error)).not.toContain('secret words')
  })

  it('is refused of a program that is not there', async () => {
    const source = keySource({ type: 'command', argv: ['gantry-no-such-program'], clock: systemClock })
    await expect(source.load(true, call)).rejects.toEqual(unusable)
  })

  it('is not waited for by one who gave up, for their own reason', async () => {
    const own = new AbortController()
    const reason = new Error('gave up')
    const loading = node('setInterval(() => undefined, 1000)').load(true, { signal: own.signal })
    own.abort(reason)
    await expect(loading).rejects.toBe(reason)
  })
})

describe('a vault', () => {
  it('does not begin with another key than what is there was sealed with', async () => {
    const { keyFile, reopen } = await subject()
    const before = await readFile(keyFile, 'utf8')
    await writeFile(keyFile, key)
    await expect(reopen()).rejects.toEqual(expect.objectContaining({ reason: 'master_key_unknown' }))
    await rm(keyFile)
    await expect(reopen()).rejects.toEqual(unusable)
    await writeFile(keyFile, before, { mode: 0o600 })
    await reopen()
  })

  it('takes a new master key, after which the one before is needed no more', async () => {
    const made = await subject()
    await put(made, 't', 'db', { url: 'one' })
    const owner = { tenant: 't', owner: 'web' }
    const contents = await made.vault.sealContents(owner, new Map(), call)
    await made.store.write({ tenant: 't' }, contents.commands, {}, call)
    const before = await made.vault.list({ tenant: 't', name: 'db' }, call)
    expect((await made.vault.rotate(call)).resealed).toBe(3)
    const [newest = ''] = (await readFile(made.keyFile, 'utf8')).split('\n')
    await writeFile(made.keyFile, newest)
    const vault = await made.reopen()
    const wanted = { tenant: 't', name: 'db', key: 'url', version: 1 }
    expect((await vault.resolve(wanted, call)).value.reveal()).toBe('one')
    await put({ ...made, vault }, 't', 'db', { url: 'one' })
    const [after] = await vault.list({ tenant: 't', name: 'db' }, call)
    expect(after?.keys).toEqual(before[0]?.keys)
  })

  it('finishes a rotation that was interrupted before it begins another', async () => {
    const made = await subject()
    await put(made, 't', 'db', { url: 'one' })
    await keySource({ type: 'file', path: made.keyFile }).addKey?.(call)
    const vault = await made.reopen()
    const keysBefore = await readFile(made.keyFile, 'utf8')
    expect((await vault.rotate(call)).resealed).toBe(2)
    expect(await readFile(made.keyFile, 'utf8')).toBe(keysBefore)
  })
})
