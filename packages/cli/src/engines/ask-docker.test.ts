import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { askDocker } from './ask-docker.ts'
import { readCertificates } from './read-certificates.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-ask-'))
})
afterAll(() => rm(folder, { recursive: true }))

const call = { signal: AbortSignal.timeout(300_000) }
let count = 0

async function listening(answer: RequestListener): Promise<string> {
  count += 1
  const path = join(folder, `${count}.sock`)
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(path, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `unix://${path}`
}

describe('asking who listens', () => {
  it.each<[string, RequestListener, object]>([
    [
      'an engine',
      (_, answer) => answer.end('{"Version":"28.0.1","ApiVersion":"1.48","Os":"linux"}'),
      { version: '28.0.1', api: '1.48' },
    ],
    ['another program', (_, answer) => answer.end('<html>'), { trouble: 'no Docker Engine: something else answers' }],
    ['one with other words', (_, answer) => answer.end('{}'), { trouble: 'no Docker Engine: something else answers' }],
    ['one that hangs up', ({ socket }) => socket.destroy(), { trouble: 'ECONNRESET' }],
    [
      'one that never ends',
      (_, answer) => answer.write('x'.repeat(100_000)),
      { trouble: 'no Docker Engine: it says too much' },
    ],
  ])('finds %s', async (_, answer, expected) => {
    expect(await askDocker(await listening(answer), undefined, systemClock, call)).toEqual(expected)
  })

  it('finds nobody, or no address at all', async () => {
    const nobody = `unix://${join(folder, 'nobody.sock')}`
    expect(await askDocker(nobody, undefined, systemClock, call)).toEqual({ trouble: 'ENOENT' })
    expect(await askDocker('ssh://me@there', undefined, systemClock, call)).toMatchObject({
      trouble: expect.stringContaining('unix:///path/to/socket'),
    })
  })

  it('does not wait for one that says nothing, and stops for the reason of whoever asked', async () => {
    const clock = new VirtualClock()
    let isAsked = (): void => undefined
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    const endpoint = await listening(() => isAsked())
    const answer = askDocker(endpoint, undefined, clock, call)
    await asked
    await clock.advance(2000)
    expect(await answer).toEqual({ trouble: 'no answer in time' })
    const leaving = new AbortController()
    const left = askDocker(endpoint, undefined, clock, leaving)
    const reason = new Error('gone')
    leaving.abort(reason)
    await expect(left).rejects.toBe(reason)
  })
})

describe('a folder of certificates', () => {
  it('has three files, and says which is missing', async () => {
    for (const name of ['ca', 'cert']) await writeFile(join(folder, `${name}.pem`), name)
    await expect(readCertificates(folder, call)).rejects.toMatchObject({
      reason: 'bad_request',
      message: expect.stringMatching(/key\.pem cannot be read \(ENOENT\); .*ca\.pem, cert\.pem and key\.pem/),
    })
    await writeFile(join(folder, 'key.pem'), 'key')
    expect(await readCertificates(folder, call)).toEqual({ ca: 'ca', cert: 'cert', key: 'key' })
  })
})
