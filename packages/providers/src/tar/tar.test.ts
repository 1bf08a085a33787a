import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isFault } from '@gantry/core'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { firstEntry } from './read.ts'
import { tarArchive } from './write.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-tar-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe('a tar archive that is written', () => {
  it('is read by tar with modes, owners and contents as they were given', () => {
    const content = Buffer.from('x'.repeat(513))
    const input = tarArchive([
      { path: 'web', mode: 0o700 },
      { path: 'web/0', mode: 0o400, owner: { uid: 1000, gid: 50 }, content },
      // More than seven octal digits hold: as in the ranges that are given to containers.
      { path: 'web/1', mode: 0o644, owner: { uid: 4_294_967_294, gid: 3_000_000 }, content: Buffer.alloc(0) },
    ])
    const lines = execFileSync('tar', ['-t', '-v', '--numeric-owner'], { input, encoding: 'utf8' }).trim().split('\n')
    const seen = lines.map((line) => line.replace(/ +/g, ' ').replace(/\d{4}-\d\d-\d\d \d\d:\d\d /, ''))
    expect(seen).toEqual([
      'drwx------ 0/0 0 web/',
      '-r-------- 1000/50 513 web/0',
      '-rw-r--r-- 4294967294/3000000 0 web/1',
    ])
    execFileSync('tar', ['-x', '--no-same-owner', '-C', folder], { input })
    expect(readFileSync(join(folder, 'web', '0')).equals(content)).toBe(true)
  })

  it('refuses a path that the format has no room for', () => {
    expect(() => tarArchive([{ path: 'n'.repeat(101), mode: 0o644, content: Buffer.alloc(0) }])).toThrow('too long')
  })
})

describe('a tar archive that is read', () => {
  it('is the file that was packed, whatever pieces it comes in', async () => {
    const any = fc.tuple(fc.uint8Array({ maxLength: 2_000 }), fc.integer({ min: 1, max: 3_000 }))
    await fc.assert(
      fc.asyncProperty(any, async ([content, size]) => {
        const archive = tarArchive([{ path: 'a', mode: 0o644, content }])
        expect(await firstEntry(inPieces(archive, size), 10_000)).toEqual({ content: Buffer.from(content) })
      }),
    )
  })

  it.each(['gnu', 'pax'])('may be one that tar made in the format %s, with remarks before the file', async (format) => {
    const name = 'n'.repeat(150)
    writeFileSync(join(folder, name), 'root:x:0:0')
    const archive = execFileSync('tar', ['-c', `--format=${format}`, '-C', folder, name])
    expect(await firstEntry(inPieces(archive, 700), 100_000)).toEqual({ content: Buffer.from('root:x:0:0') })
  })

  it('tells links and what is no file', async () => {
    symlinkSync('../usr/passwd', join(folder, 'link'))
    mkdirSync(join(folder, 'folder'))
    const packed = (name: string): AsyncGenerator<Uint8Array> =>
      inPieces(execFileSync('tar', ['-c', '-C', folder, name]), 512)
    expect(await firstEntry(packed('link'), 100_000)).toEqual({ link: '../usr/passwd' })
    expect(await firstEntry(packed('folder'), 100_000)).toEqual({ other: '5' })
  })

  it('is refused where it is too large, cut off, empty or something else', async () => {
    const archive = tarArchive([{ path: 'a', mode: 0o644, content: Buffer.alloc(5_000) }])
    const bad = [archive.subarray(0, 3_000), archive.subarray(0, 100), Buffer.alloc(0), Buffer.from('?'.repeat(1_024))]
    for (const bytes of [...bad, Buffer.concat([archive, Buffer.alloc(10_000)])]) {
      const error: unknown = await firstEntry(inPieces(bytes, 512), 10_000).catch((caught: unknown) => caught)
      expect(isFault(error) && error.reason).toBe('bad_answer')
    }
  })
})
