import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { unzip } from './unzip.ts'

/** An archive as zip tools write it, by hand: no other program is needed to test ours. */
function zip(files: Readonly<Record<string, { content: string; stored?: boolean }>>): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [name, { content, stored = false }] of Object.entries(files)) {
    const packed = stored ? Buffer.from(content) : deflateRawSync(content)
    const local = Buffer.alloc(30 + 4)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(name.length, 26)
    local.writeUInt16LE(4, 28)
    const whole = Buffer.concat([local.subarray(0, 30), Buffer.from(name), Buffer.alloc(4), packed])
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(stored ? 0 : 8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    central.push(entry, Buffer.from(name))
    locals.push(whole)
    offset += whole.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, ...central, end])
}

describe('an archive', () => {
  it('gives the files that are in it, deflated or stored, and no folders', () => {
    const files = unzip(
      zip({
        'bin/': { content: '', stored: true },
        'bin/a': { content: 'aaaaaaaaaa' },
        b: { content: 'b', stored: true },
      }),
    )
    expect([...files].map(([name, content]) => [name, content().toString()])).toEqual([
      ['bin/a', 'aaaaaaaaaa'],
      ['b', 'b'],
    ])
  })

  it('that is none is refused', () => {
    expect(() => unzip(Buffer.from('hello'))).toThrow('no zip archive')
  })
})
