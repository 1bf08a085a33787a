import { describe, expect, it, vi } from 'vitest'
import { testManager } from '../../testing/kubernetes-rig.ts'
import { inOwnNamespace } from '../../testing/on-shared-cluster.ts'
import type { ContainerAt, PodStream } from './api.ts'
import type { PodState } from './container-runs.ts'
import { resources } from './resources.ts'
import type { KubeObject } from './types/meta.ts'

const call = { signal: AbortSignal.timeout(900_000) }

/** Answers every connection with what it said, and says its own name first. */
const echo = 'exec nc -ll -p 8080 -e sh -c "echo welcome; cat"'
const counting = 'trap "exit 0" TERM; i=0; while true; do echo line $i; i=$((i+1)); sleep 0.2; done'
const reading = 'while read word; do echo heard $word; done'

describe('pods of a real cluster', () => {
  const on = inOwnNamespace(async () => {
    const container = (name: string, command: readonly string[], more: object = {}): object => ({
      name,
      image: on.rig.address.image,
      imagePullPolicy: 'Never',
      command,
      ...more,
    })
    const shell = (name: string, script: string, more: object = {}): object =>
      container(name, ['sh', '-c', script], more)
    await makePod('busy', [
      shell('echo', echo),
      shell('counting', counting),
      container('silent', ['sleep', '1000']),
      shell('reading', reading, { stdin: true }),
    ])
    await makePod('crashing', [shell('main', 'echo run of $(date +%s); exit 7')])
    await makePod('waiting', [container('main', ['true'], { image: 'gantry-test/none:1' })])
    const running = async (): Promise<boolean> =>
      (await pod('busy')).status?.containerStatuses?.filter(({ state }) => state?.running).length === 4
    await vi.waitUntil(running, { timeout: 120_000, interval: 100 })
  })

  async function makePod(name: string, containers: readonly object[]): Promise<void> {
    const spec = { terminationGracePeriodSeconds: 1, automountServiceAccountToken: false, containers }
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec }
    const of = { resource: resources.pod, namespace: on.namespace }
    await on.rig.api.objects.create(of, object, { fieldManager: testManager }, call)
  }

  async function pod(name: string): Promise<PodState> {
    const at = { resource: resources.pod, namespace: on.namespace, name }
    const found = await on.rig.api.objects.get<KubeObject & PodState>(at, call)
    if (!found) throw new Error(`there is no pod ${name}`)
    return found
  }

  const at = (container: string, name = 'busy'): ContainerAt => ({ namespace: on.namespace, pod: name, container })
  const exec = (argv: readonly string[], how: { stdin?: boolean; tty?: boolean } = {}): Promise<PodStream> =>
    on.rig.api.pods.exec(at('silent'), { argv, stdin: how.stdin ?? false, tty: how.tty ?? false }, call)

  it('run a command, with both streams and its exit code', async () => {
    for (const code of [0, 3, 137]) {
      const session = await exec(['sh', '-c', `echo out; echo err >&2; exit ${code}`])
      const [stdout, stderr, exit] = await Promise.all([text(session.stdout), text(session.stderr), session.exit])
      expect({ stdout, stderr, exit }).toEqual({ stdout: 'out\n', stderr: 'err\n', exit: code })
    }
  })

  it('pass on arguments as they are', async () => {
    const session = await exec(['printf', '%s|', 'a b', '$HOME', 'é&=?', ''])
    expect(await text(session.stdout)).toBe('a b|$HOME|é&=?||')
  })

  it('read input to its end, which can come before theirs', async () => {
    const session = await exec(['sh', '-c', 'cat; echo and done'], { stdin: true })
    await session.write(Buffer.from('hello\n'))
    await session.endInput()
    expect(await text(session.stdout)).toBe('hello\nand done\n')
    expect(await session.exit).toBe(0)
  })

  it('lose no byte of much, both ways', async () => {
    const size = 8 * 1024 * 1024
    const sent = Buffer.alloc(size)
    for (let at = 0; at < size; at += 4) sent.writeUInt32LE((at * 2_654_435_761) % 2 ** 32, at)
    const session = await exec(['cat'], { stdin: true })
    const writing = session.write(sent).then(() => session.endInput())
    const chunks: Uint8Array[] = []
    for await (const chunk of session.stdout) chunks.push(chunk)
    await writing
    expect(Buffer.concat(chunks).equals(sent)).toBe(true)
    expect(await session.exit).toBe(0)
  })

  it('have a terminal of the size that it is told', async () => {
    const session = await exec(['sh', '-c', 'stty -echo; echo ready; while read x; do stty size; done; exit 5'], {
      stdin: true,
      tty: true,
    })
    let said = ''
    const heard = (async () => {
      for await (const chunk of session.stdout) said += Buffer.from(chunk).toString('utf8')
    })()
    await expect.poll(() => said).toContain('ready')
    // The kernel tells the process behind the terminal, not in order with its input, and who is just being told may not answer: so
    // it is asked until it knows.
    for (const size of [
      { rows: 33, columns: 101 },
      { rows: 50, columns: 20 },
    ]) {
      await session.resize(size)
      const asked = async (): Promise<string> => {
        await session.write(Buffer.from('x\n'))
        return said
      }
      await expect.poll(asked, { interval: 200 }).toContain(`${size.rows} ${size.columns}\r\n`)
    }
    await session.write(Buffer.from([4]))
    expect(await session.exit).toBe(5)
    await heard
    expect(await text(session.stderr)).toBe('')
  })

  it('say why a command cannot be begun', async () => {
    const session = await exec(['no-such-program'])
    await expect(session.exit).rejects.toMatchObject({
      reason: 'engine_rejected',
      message: expect.stringMatching(/executable file not found/),
    })
    const request = { argv: ['true'], stdin: false, tty: false }
    await expect(on.rig.api.pods.exec(at('main', 'waiting'), request, call)).rejects.toMatchObject({
      reason: 'service_not_running',
    })
    await expect(on.rig.api.pods.exec(at('nobody'), request, call)).rejects.toMatchObject({
      reason: 'service_not_running',
    })
    await expect(on.rig.api.pods.exec(at('main', 'none'), request, call)).rejects.toMatchObject({
      reason: 'engine_object_not_found',
    })
  })

  it('let a caller leave in the middle of a command, with the reason', async () => {
    const caller = new AbortController()
    const session = await on.rig.api.pods.exec(
      at('silent'),
      { argv: ['sleep', '100'], stdin: true, tty: false },
      caller,
    )
    const reason = new Error('left')
    const reads = text(session.stdout)
    caller.abort(reason)
    await expect(session.exit).rejects.toBe(reason)
    await expect(reads).rejects.toBe(reason)
    await expect(session.write(Buffer.from('x'))).rejects.toBe(reason)
  })

  it('are joined while they run', async () => {
    const session = await on.rig.api.pods.attach(at('reading'), { stdin: true, tty: false }, call)
    const seen = new Follower(session.stdout)
    await session.write(Buffer.from('this\n'))
    await seen.until('heard this\n')
    session.close()
    await expect(session.exit).rejects.toMatchObject({ reason: 'engine_unreachable' })
  })

  it('are connected to, both ways, several at once', async () => {
    const talk = async (word: string): Promise<void> => {
      const connection = await on.rig.api.pods.portForward({ namespace: on.namespace, pod: 'busy' }, 8080, call)
      const seen = new Follower(connection.incoming)
      await seen.until('welcome\n')
      await connection.write(Buffer.from(`${word}\n`))
      await seen.until(`${word}\n`)
      connection.close()
      await connection.closed
    }
    await Promise.all(['one', 'two', 'three'].map(talk))
  })

  it('say that nobody listens', async () => {
    const connection = await on.rig.api.pods.portForward({ namespace: on.namespace, pod: 'busy' }, 9_999, call)
    await expect(text(connection.incoming)).rejects.toThrowError(/^Nobody listens on port 9999 of /)
    await expect(connection.closed).rejects.toMatchObject({ reason: 'engine_refused' })
    await expect(on.rig.api.pods.portForward({ namespace: on.namespace, pod: 'none' }, 1, call)).rejects.toMatchObject({
      reason: 'engine_object_not_found',
    })
  })

  it('tell their log: its end, with times, since then, and what comes', async () => {
    const { pods } = on.rig.api
    const caller = new AbortController()
    const following = new Follower(await pods.logs(at('counting'), { follow: true, timestamps: false }, caller))
    await following.until('line 12\n')
    expect(following.text).toMatch(/^line 0\nline 1\n/)
    const reason = new Error('left')
    const next = following.until('never')
    caller.abort(reason)
    await expect(next).rejects.toBe(reason)
    const tail = await text(await pods.logs(at('counting'), { follow: false, timestamps: true, tail: 2 }, call))
    expect(tail).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z line (\d+)\n\d{4}-\S+ line (\d+)\n$/)
    const since = new Date(tail.slice(0, tail.indexOf(' ')))
    const later = await text(await pods.logs(at('counting'), { follow: false, timestamps: false, since }, call))
    expect(later).not.toMatch(/^line 0\n/)
    const few = await text(await pods.logs(at('counting'), { follow: false, timestamps: false, limitBytes: 6 }, call))
    expect(few).toBe('line 0')
  })

  it('have logs that can be followed before there is a line', async () => {
    const caller = new AbortController()
    const lines = await on.rig.api.pods.logs(at('silent'), { follow: true, timestamps: true }, caller)
    const reason = new Error('left')
    const reads = text(lines)
    caller.abort(reason)
    await expect(reads).rejects.toBe(reason)
  })

  it('tell the log of the run before, and why there is none', async () => {
    const previous = { follow: false, timestamps: false, previous: true }
    await expect
      .poll(async () => on.rig.api.pods.logs(at('main', 'crashing'), previous, call).then(text, () => ''))
      .toMatch(/^run of \d+\n$/)
    await expect(on.rig.api.pods.logs(at('silent'), previous, call)).rejects.toMatchObject({
      reason: 'engine_object_not_found',
    })
    for (const follow of [true, false]) {
      const none = on.rig.api.pods.logs(at('main', 'waiting'), { follow, timestamps: false }, call)
      await expect(none).rejects.toMatchObject({ reason: 'service_not_running' })
    }
  })
})

async function text(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

class Follower {
  text = ''
  readonly #chunks: AsyncIterator<Uint8Array>

  constructor(from: AsyncIterable<Uint8Array>) {
    this.#chunks = from[Symbol.asyncIterator]()
  }

  /** Reads on until it was said, and answers all that came by then since the last time. */
  async until(said: string): Promise<string> {
    let read = ''
    while (!read.includes(said)) {
      const next = await this.#chunks.next()
      if (next.done) throw new Error(`It ended before it said ${said}: ${this.text}`)
      const more = Buffer.from(next.value).toString('utf8')
      read += more
      this.text += more
    }
    return read
  }
}
