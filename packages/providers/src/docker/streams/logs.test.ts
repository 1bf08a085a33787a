import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import type { EngineLog, LogFrom } from '../../log-line.ts'
import { linesOf } from '../../log-text.ts'
import { type RealDocker, realDocker } from '../../testing/real-docker.ts'
import { containerLogs } from './logs.ts'

const signal = AbortSignal.timeout(600_000)
const call = { signal }

describe('logs of a real container', () => {
  let found: Awaited<ReturnType<typeof realDocker>>
  beforeAll(async () => {
    found = await realDocker()
  })
  afterAll(() => ('docker' in found ? found.end() : undefined))

  const rig = ({ skip }: Pick<TestContext, 'skip'>): RealDocker => ('missing' in found ? skip(found.missing) : found)

  const ended = async ({ docker, run }: RealDocker, script: string, settings = {}): Promise<string> => {
    const id = await run(['sh', '-c', script], settings)
    await docker.containers.wait(id, 'not-running', call)
    return id
  }

  const read = async ({ docker }: RealDocker, id: string, from: Partial<LogFrom> = {}, tty = false) => {
    const logs: EngineLog[] = []
    for await (const log of containerLogs(docker, id, { tty }, { follow: false, ...from }, call)) logs.push(log)
    return logs
  }

  it.for(drivers)(
    'are lines by stream, with the time at which they were written, kept by %s',
    async (driver, context) => {
      const real = rig(context)
      const before = Date.now()
      const id = await ended(real, 'echo out; echo err >&2; echo; echo "ünï ☃ 𝄞"; printf open', kept(driver))
      const logs = await read(real, id)
      expect(textsOf(logs, 'stdout')).toEqual(['out', '', 'ünï ☃ 𝄞', 'open'])
      expect(textsOf(logs, 'stderr')).toEqual(['err'])
      for (const { at } of logs) expect(at.getTime()).toBeGreaterThanOrEqual(before - 1)
      for (const { at } of logs) expect(at.getTime()).toBeLessThanOrEqual(Date.now() + 1)
    },
  )

  it.for(drivers)(
    'have long lines whole, and what a run left open apart from the next run, kept by %s',
    async (driver, context) => {
      const real = rig(context)
      const script =
        'x() { head -c $1 /dev/zero | tr "\\0" $2; }; x 40000 a; echo; x 16384 b; echo; x 16383 c; echo; x 50 d'
      const id = await ended(real, script, kept(driver))
      await real.docker.containers.start(id, call)
      await real.docker.containers.wait(id, 'not-running', call)
      const once = ['a'.repeat(40_000), 'b'.repeat(16_384), 'c'.repeat(16_383), 'd'.repeat(50)]
      const logs = await read(real, id)
      expect(textsOf(logs, 'stdout').map(({ length }) => length)).toEqual(
        [...once, ...once].map(({ length }) => length),
      )
      expect(textsOf(logs, 'stdout')).toEqual([...once, ...once])
    },
  )

  it.for(drivers)('of a terminal are one stream, whole too, kept by %s', async (driver, context) => {
    const real = rig(context)
    const script =
      'x() { head -c $1 /dev/zero | tr "\\0" $2; }; echo one; echo two >&2; x 40000 a; echo; echo z; printf end'
    const id = await ended(real, script, { ...kept(driver), Tty: true })
    const logs = await read(real, id, {}, true)
    expect(textsOf(logs, 'stdout')).toEqual(['one', 'two', 'a'.repeat(40_000), 'z', 'end'])
    const last = await read(real, id, { tail: 2 }, true)
    expect(textsOf(last, 'stdout')).toEqual(['z', 'end'])
  })

  it.for(drivers)('are read on behind every cursor, and of them the last, kept by %s', async (driver, context) => {
    const real = rig(context)
    const script =
      'i=0; while [ $i -lt 300 ]; do echo out $i; [ $((i % 3)) = 0 ] && echo err $i >&2; i=$((i+1)); done; seq 1 200'
    const id = await ended(real, script, kept(driver))
    const all = await read(real, id)
    const texts = (logs: readonly EngineLog[]) => [textsOf(logs, 'stdout'), textsOf(logs, 'stderr')]
    expect(texts(all).map(({ length }) => length)).toEqual([500, 100])
    const some = all.filter((_, at) => at % Math.ceil(all.length / 15) === 0)
    for (const { cursor } of [...some, all.at(-1) as EngineLog]) {
      const behind = all.slice(all.findIndex((log) => log.cursor === cursor) + 1)
      expect(texts(await read(real, id, { cursor }))).toEqual(texts(behind))
    }
    const lines = all.flatMap((log) => (log.type === 'lines' ? linesOf(log.text) : []))
    for (const tail of [0, 1, 7, 250, 1000]) {
      const last = await read(real, id, { tail })
      expect(last.flatMap((log) => (log.type === 'lines' ? linesOf(log.text) : []))).toEqual(
        tail === 0 ? [] : lines.slice(-tail),
      )
    }
    const since = all[Math.floor(all.length / 2)]?.at ?? new Date()
    for (const { at } of await read(real, id, { since })) expect(at.getTime()).toBeGreaterThanOrEqual(since.getTime())
  })

  it.for(drivers)(
    'are followed through restarts, each line once, until the container is gone, kept by %s',
    async (driver, context) => {
      const real = rig(context)
      const { docker, run } = real
      const { containers } = docker
      const id = await run(['sh', '-c', 'trap "exit 0" TERM; echo begun; sleep 1000 & wait'], kept(driver))
      const lines: string[] = []
      const waiting: { count: number; resolve: () => void }[] = []
      const until = (count: number) => new Promise<void>((resolve) => waiting.push({ count, resolve }))
      const following = (async () => {
        for await (const log of containerLogs(docker, id, { tty: false }, { follow: true }, call)) {
          lines.push(...(log.type === 'lines' ? linesOf(log.text) : [log.message]))
          for (const { count, resolve } of waiting) if (lines.length >= count) resolve()
        }
      })()
      for (let runs = 1; runs <= 3; runs += 1) {
        const read = until(runs)
        if (runs > 1) await containers.start(id, call)
        await Promise.race([read, following])
        expect(lines).toEqual(Array(runs).fill('begun'))
        await containers.stop(id, 10, call)
      }
      await containers.remove(id, { force: true, volumes: true }, call)
      await following
      expect(lines).toEqual(['begun', 'begun', 'begun'])
    },
  )

  it('end with the reason of who leaves, and say that there is no such container', async (context) => {
    const { docker, run } = rig(context)
    const id = await run(['sh', '-c', 'echo begun; sleep 1000'])
    const leaving = new AbortController()
    const reason = new Error('enough')
    const follow = async (container: string) => {
      for await (const _ of containerLogs(docker, container, { tty: false }, { follow: true }, leaving))
        leaving.abort(reason)
    }
    await expect(follow('no-such-container')).rejects.toMatchObject({ kind: 'not_found' })
    await expect(follow(id)).rejects.toBe(reason)
    const bad = containerLogs(docker, id, { tty: false }, { follow: false, cursor: '1.2.3' }, call)[
      Symbol.asyncIterator
    ]()
    await expect(bad.next()).rejects.toMatchObject({ reason: 'bad_request' })
  })

  it('have a gap where the engine has dropped what comes behind a cursor', async (context) => {
    const real = rig(context)
    const { docker, run } = real
    const small = kept('json-file', { 'max-size': '20k', 'max-file': '2' })
    const id = await run(['sh', '-c', 'echo first; read go; seq 1 3000; echo last'], {
      ...small,
      OpenStdin: true,
      Tty: false,
    })
    let cursor = ''
    for await (const log of containerLogs(docker, id, { tty: false }, { follow: true }, call)) {
      cursor = log.cursor
      break
    }
    const again = await docker.execs.create(
      id,
      {
        Cmd: ['sh', '-c', 'seq 1 3000 > /proc/1/fd/1; echo last > /proc/1/fd/1'],
        AttachStdin: false,
        AttachStdout: true,
        AttachStderr: true,
        Tty: false,
      },
      call,
    )
    const session = await docker.execs.start(again, { tty: false }, call)
    for await (const frame of session.output) void frame
    let logs: EngineLog[] = []
    await expect
      .poll(
        async () => {
          logs = await read(real, id, { cursor })
          return textsOf(logs, 'stdout').at(-1)
        },
        { timeout: 30_000 },
      )
      .toBe('last')
    expect(logs[0]).toMatchObject({ type: 'gap' })
    expect(logs.filter(({ type }) => type === 'gap')).toHaveLength(1)
    const numbers = textsOf(logs, 'stdout').slice(0, -1).map(Number)
    expect(numbers).toEqual(Array.from(numbers, (_, at) => 3001 - numbers.length + at))
    expect(numbers.length).toBeLessThan(3000)
    const behind = await read(real, id, { cursor: logs[0]?.cursor ?? '' })
    expect(behind.filter(({ type }) => type === 'gap')).toEqual([])
    expect(textsOf(behind, 'stdout')).toEqual(textsOf(logs, 'stdout'))
  })

  it('that the engine does not keep are refused, and not taken for none', async (context) => {
    const real = rig(context)
    const id = await ended(real, 'echo lost', kept('none'))
    await expect(read(real, id)).rejects.toMatchObject({ reason: 'capability_missing' })
  })
})

const drivers = ['json-file', 'local'] as const
const kept = (Type: string, Config = {}) => ({ HostConfig: { LogConfig: { Type, Config } } })

const textsOf = (logs: readonly EngineLog[], stream: string): string[] =>
  logs.flatMap((log) => (log.type === 'lines' && log.stream === stream ? linesOf(log.text) : []))
