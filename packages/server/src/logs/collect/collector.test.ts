import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault, Secret, systemClock } from '@gantry/core'
import { overlay } from '@gantry/providers'
import { describe, expect, it, vi } from 'vitest'
import { silent } from '../../app/log.ts'
import { logLimits } from '../limits.ts'
import type { LogStore } from '../log-store.ts'
import { mask } from '../mask/marks.ts'
import { unlessMissing } from '../segments/files.ts'
import { temporaryFolder } from '../testing/folder.ts'
import { ref, replicaOf, ScriptedEngine } from '../testing/scripted-engine.ts'
import { call, storeAt, texts } from '../testing/store.ts'
import { LogCollector } from './collector.ts'

const limits = { ...logLimits, flushMs: 1, holdMs: 20 }

function collecting(folder: string, engine: ScriptedEngine, secrets: readonly string[] = []) {
  const store = storeAt(folder, limits)
  const secretsOf = vi.fn(async () => secrets.map((value) => new Secret(value)))
  const collector = new LogCollector({ hub: engine.hub, store, secretsOf, clock: systemClock, log: silent, limits })
  collector.start()
  const until = (expected: readonly string[]) =>
    vi.waitFor(async () => expect(await texts(store)).toEqual(expected), { timeout: 60_000, interval: 5 })
  return { store, collector, secretsOf, until }
}

describe('collecting logs', () => {
  it('keeps lines as they come, of every replica that is seen', async () => {
    await using folder = await temporaryFolder()
    const engine = new ScriptedEngine()
    const { collector, until } = collecting(folder.path, engine)
    engine.write('r0', 'before')
    engine.show('r0')
    await until(['before'])
    engine.write('r0', 'after')
    engine.show('r0', 'r1')
    engine.write('r1', 'other')
    await until(['before', 'after', 'other'])
    expect(collector.count).toBe(2)
    await collector.stop()
  })

  it('goes on across a restart of the server, with no line lost or repeated', async () => {
    await using folder = await temporaryFolder()
    const engine = new ScriptedEngine()
    const expected: string[] = []
    const write = (): void => {
      expected.push(`line ${expected.length}`)
      engine.write('r0', `line ${expected.length - 1}`)
    }
    for (let restart = 0; restart < 5; restart += 1) {
      const { collector, until } = collecting(folder.path, engine)
      engine.show('r0')
      for (let lines = 0; lines < 200; lines += 1) write()
      if (restart % 2 === 0) await until(expected)
      await collector.stop()
      write()
    }
    const { collector, until } = collecting(folder.path, engine)
    engine.show('r0')
    await until(expected)
    await collector.stop()
  })

  it('goes on from whatever a kill at any moment leaves on disk, with no line lost or repeated', async () => {
    await using folder = await temporaryFolder()
    const engine = new ScriptedEngine()
    const { collector } = collecting(join(folder.path, 'first'), engine, ['0123456789'])
    engine.show('r0')
    const expected: string[] = []
    for (let kill = 0; kill < 5; kill += 1) {
      for (let lines = 0; lines < 300; lines += 1) {
        engine.write('r0', `line ${expected.length} 0123`)
        expected.push(`line ${expected.length} 0123`)
      }
      // As the disk is while the first still writes: what a process that is killed now leaves behind.
      const copy = join(folder.path, `copy-${kill}`)
      await cp(join(folder.path, 'first'), copy, { recursive: true }).catch(unlessMissing(undefined))
      const again = collecting(copy, engine, ['0123456789'])
      engine.show('r0')
      await again.until(expected)
      await again.collector.stop()
    }
    await collector.stop()
  })

  it('goes on behind the last line that was kept when the engine was lost', async () => {
    await using folder = await temporaryFolder()
    const engine = new ScriptedEngine()
    const { collector, until } = collecting(folder.path, engine)
    engine.show('r0')
    engine.write('r0', 'one')
    await until(['one'])
    engine.cut()
    engine.write('r0', 'two')
    await vi.waitFor(() => expect(engine.asked).toEqual([undefined, '1']), { timeout: 60_000 })
    engine.isReachable = true
    await until(['one', 'two'])
    expect(engine.asked).toEqual([undefined, '1', '1'])
    await collector.stop()
  })

  it('keeps each line once when writing fails while the next are read already', async () => {
    await using folder = await temporaryFolder()
    const engine = new ScriptedEngine()
    const store = storeAt(folder.path, limits)
    let appends = 0
    const failing = overlay<LogStore>(store, {
      async open(source) {
        const appender = await store.open(source)
        return overlay(appender, {
          async append(blocks, cursor, firstAt) {
            appends += 1
            if (appends === 2 || appends === 5) throw new Fault('logs_unwritable', 'The disk is full')
            await appender.append(blocks, cursor, firstAt)
          },
        })
      },
    })
    const small = { ...limits, blockChars: 500, writeBytes: 1000 }
    const secretsOf = async (): Promise<Secret[]> => []
    const deps = { hub: engine.hub, store: failing, secretsOf, clock: systemClock, log: silent, limits: small }
    const collector = new LogCollector(deps)
    collector.start()
    const expected = Array.from({ length: 1000 }, (_, number) => `line ${number}`)
    for (let from = 0; from < expected.length; from += 20)
      engine.write('r0', expected.slice(from, from + 20).join('\n'))
    engine.show('r0')
    await vi.waitFor(async () => expect(await texts(store)).toEqual(expected), { timeout: 20_000, interval: 20 })
    expect(engine.asked.length).toBe(3)
    await collector.stop()
  })

  it('masks what its release was given, also over two lines and across a restart in between', async () => {
    await using folder = await temporaryFolder()
    const engine = new ScriptedEngine()
    const first = collecting(folder.path, engine, ['0123456789'])
    engine.show('r0')
    engine.write('r0', 'whole 0123456789.')
    await first.until([`whole ${mask}.`])
    engine.write('r0', 'half 01234')
    await first.collector.stop()
    engine.write('r0', '56789.')
    const second = collecting(folder.path, engine, ['0123456789'])
    engine.show('r0')
    await second.until([`whole ${mask}.`, `half ${mask}`, `${mask}.`])
    expect(first.secretsOf).toHaveBeenCalledWith(ref, 'v1', expect.anything())
    await second.collector.stop()
  })

  it('holds a line that may be half of a secret for a while only', async () => {
    await using folder = await temporaryFolder()
    const engine = new ScriptedEngine()
    const { collector, until } = collecting(folder.path, engine, ['0123456789'])
    engine.show('r0')
    engine.write('r0', 'perhaps 0123')
    await until(['perhaps 0123'])
    await collector.stop()
  })

  it('reads nothing as long as it cannot tell what to hide', async () => {
    await using folder = await temporaryFolder()
    const engine = new ScriptedEngine()
    const { collector, secretsOf, until } = collecting(folder.path, engine, ['secret-value'])
    secretsOf.mockRejectedValueOnce(new Error('the vault is away'))
    engine.write('r0', 'a secret-value')
    engine.show('r0')
    await until([`a ${mask}`])
    expect(secretsOf).toHaveBeenCalledTimes(2)
    await collector.stop()
  })

  it('keeps what a replica wrote after it is gone, and follows it no longer', async () => {
    await using folder = await temporaryFolder()
    const engine = new ScriptedEngine()
    const { collector, until } = collecting(folder.path, engine)
    engine.show('r0')
    engine.write('r0', 'last words')
    await until(['last words'])
    engine.remove('r0')
    engine.show()
    await vi.waitFor(() => expect(collector.count).toBe(0), { timeout: 60_000 })
    await until(['last words'])
    await collector.stop()
  })

  it('lets a replica go when all it wrote is kept, and says what it waits for until then', async () => {
    await using folder = await temporaryFolder()
    const engine = new ScriptedEngine()
    const { collector, until } = collecting(folder.path, engine)
    engine.show('r0')
    for (let line = 0; line < 1000; line += 1) engine.write('r0', `line ${line}`)
    const ask = () => collector.logsKept('p', ref, replicaOf('r0'), call)
    expect(await ask()).toMatchObject({
      state: 'yield',
      reason: 'the logs of web of replica 0 to be read to their end',
    })
    await vi.waitFor(async () => expect(await ask()).toEqual({ state: 'done' }), { timeout: 60_000, interval: 5 })
    await until(Array.from({ length: 1000 }, (_, line) => `line ${line}`))
    await collector.stop()
    expect(await ask()).toMatchObject({ state: 'yield' })
  })

  it('asks for the logs of a replica that it has not seen yet, as after a restart', async () => {
    await using folder = await temporaryFolder()
    const engine = new ScriptedEngine()
    const { collector, until } = collecting(folder.path, engine)
    engine.write('r0', 'unread')
    const ask = () => collector.logsKept('p', ref, replicaOf('r0'), call)
    await vi.waitFor(async () => expect(await ask()).toEqual({ state: 'done' }), { timeout: 60_000, interval: 5 })
    await until(['unread'])
    await collector.stop()
  })
})
