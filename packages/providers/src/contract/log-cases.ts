/** What services wrote: all of it, in order, in one shape. */
import assert from 'node:assert/strict'
import type { LogLine } from '../log-line.ts'
import type { ContractCase } from './case.ts'
import { Follower } from './follower.ts'
import type { Kit } from './kit.ts'

const says = (line: string) => ({ prints: [{ stream: 'stdout', line }] as const })

const onBoth = [
  { stream: 'stdout', line: 'to out' },
  { stream: 'stderr', line: 'to err' },
  { stream: 'stdout', line: '' },
  { stream: 'stdout', line: 'ünï ☃ 𝄞' },
] as const

const manyLines = Array.from({ length: 400 }, (_, at) => (at % 7 === 3 ? '' : `line ${at} of many`))

export const logCases: readonly ContractCase[] = [
  {
    title: 'reads lines of both streams, with time, service and replica',
    rows: ['logs'],
    needs: ['logs'],
    async run(kit) {
      const before = kit.harness.clock.now()
      await kit.provision({ services: [kit.service({ prints: onBoth })] })
      const lines = await readUntil(kit, onBoth.length)
      assert.deepEqual(lines.map(({ line }) => line).sort(), onBoth.map(({ line }) => line).sort())
      const streams = new Set(lines.map(({ stream }) => stream))
      // Whoever cannot tell them apart calls all of it stdout, and never invents one.
      const isApart = kit.provider.declares.has('logs:streams')
      assert.deepEqual(streams, new Set(isApart ? ['stdout', 'stderr'] : ['stdout']))
      for (const { ts, service, replica } of lines) {
        assert.deepEqual([service, replica], ['web', 0])
        assert.ok(ts.getTime() >= before - 1000 && ts.getTime() <= kit.harness.clock.now() + 1000)
      }
    },
  },
  {
    title: 'tells what was written to stderr from what was written to stdout',
    rows: ['logs'],
    needs: ['logs', 'logs:streams'],
    async run(kit) {
      await kit.provision({ services: [kit.service({ prints: onBoth })] })
      const lines = await readUntil(kit, onBoth.length)
      assert.deepEqual(byStream(lines, 'stdout'), ['to out', '', 'ünï ☃ 𝄞'])
      assert.deepEqual(byStream(lines, 'stderr'), ['to err'])
    },
  },
  {
    title: 'reads all replicas and services, or the one that is named',
    rows: ['logs'],
    needs: ['logs'],
    async run(kit) {
      const helper = kit.service(says('from helper'), { name: 'helper', role: 'sidecar' })
      await kit.provision({ replicas: 2, services: [kit.service(says('from web')), helper] })
      const all = await readUntil(kit, 4)
      const from = all.map(({ service, replica }) => `${service} ${replica}`).sort()
      assert.deepEqual(from, ['helper 0', 'helper 1', 'web 0', 'web 1'])
      assert.deepEqual(
        (await kit.lines({ service: 'helper' })).map(({ service }) => service),
        ['helper', 'helper'],
      )
      assert.deepEqual(
        (await kit.lines({ replica: 1 })).map(({ replica }) => replica),
        [1, 1],
      )
      const one = await kit.lines({ service: 'web', replica: 0 })
      assert.deepEqual(
        one.map(({ line }) => line),
        ['from web'],
      )
      await kit.refused(kit.lines({ service: 'nope' }), 'service_not_found')
      await kit.refused(kit.lines({ replica: 7 }), 'replica_not_found')
      await kit.refused(kit.lines({}, kit.ref('never')), 'instance_not_found')
    },
  },
  {
    title: 'reads the last lines, and those since a time',
    rows: ['logs'],
    needs: ['logs'],
    async run(kit) {
      await kit.provision({ services: [kit.service({ counts: { line: 'tick', everyMs: 200 } })] })
      const lines = await readUntil(kit, 6)
      const tail = await kit.lines({ tail: 2 })
      assert.equal(tail.length, 2)
      assert.deepEqual(await kit.lines({ tail: 0 }), [])
      const since = lines[3]?.ts
      assert.ok(since)
      const later = await kit.lines({ since })
      assert.ok(later.length >= 2 && later.every(({ ts }) => ts >= since), 'nothing from before')
      assert.ok(later.some(({ line }) => line === lines[4]?.line))
    },
  },
  {
    title: 'reads lines that were written at once, each once and in order, and of them the last',
    rows: ['logs'],
    needs: ['logs'],
    async run(kit) {
      const prints = manyLines.map((line) => ({ stream: 'stdout', line }) as const)
      await kit.provision({ services: [kit.service({ prints })] })
      const all = await readUntil(kit, prints.length)
      assert.deepEqual(byStream(all, 'stdout'), manyLines)
      await readsLast(kit, all)
    },
  },
  {
    title: 'reads lines that were written at once to both streams, each of them once and in order',
    rows: ['logs'],
    needs: ['logs', 'logs:streams'],
    async run(kit) {
      const prints = manyLines.flatMap((line, at) => [
        { stream: 'stdout', line } as const,
        ...(at % 10 === 0 ? [{ stream: 'stderr', line: `err ${at}` } as const] : []),
      ])
      await kit.provision({ services: [kit.service({ prints })] })
      const all = await readUntil(kit, prints.length)
      assert.deepEqual(byStream(all, 'stdout'), manyLines)
      assert.deepEqual(
        byStream(all, 'stderr'),
        prints.flatMap(({ stream, line }) => (stream === 'stderr' ? [line] : [])),
      )
      await readsLast(kit, all)
    },
  },
  {
    title: 'follows what comes, each line once and in order, and ends cleanly when the reader leaves',
    rows: ['logs'],
    needs: ['logs'],
    async run(kit) {
      await kit.provision({ services: [kit.service({ counts: { line: 'tick', everyMs: 100 } })] })
      const follower = new Follower(kit)
      await follower.until((lines) => lines.length >= 10)
      const numbers = follower.lines.map(({ line }) => Number(line.replace('tick ', '')))
      assert.deepEqual(
        numbers,
        numbers.map((_, at) => (numbers[0] ?? 0) + at),
      )
      assert.equal(await follower.leave(), undefined, 'leaving is an end, not an error')
    },
  },
  {
    title: 'begins a follow with the last lines that are asked for, or with what comes',
    rows: ['logs'],
    needs: ['logs'],
    async run(kit) {
      await kit.provision({ services: [kit.service({ counts: { line: 'tick', everyMs: 200 } })] })
      const before = await readUntil(kit, 5)
      const [some, none] = [new Follower(kit, { tail: 2 }), new Follower(kit, { tail: 0 })]
      for (const follower of [some, none]) await follower.until((lines) => lines.length >= 4)
      const first = (follower: Follower): number => Number(follower.lines[0]?.line.replace('tick ', ''))
      assert.ok(first(some) >= before.length - 1, 'no more than the last two of what was')
      assert.ok(first(none) > before.length, 'nothing of what was')
      for (const follower of [some, none]) assert.equal(await follower.leave(), undefined)
    },
  },
  {
    title: 'goes on following when replicas are replaced',
    rows: ['logs'],
    needs: ['logs'],
    async run(kit) {
      const program = { ...says('hello'), counts: { line: 'tick', everyMs: 200 } }
      await kit.provision({ replicas: 2, services: [kit.service(program, { env: { V: '1' } })] })
      const follower = new Follower(kit)
      await followsAll(kit, follower)
      await kit.settle(kit.provider.deploy(kit.ref(), { services: [{ name: 'web', env: { V: '2' } }] }, kit.call))
      await followsAll(kit, follower)
      await kit.settle(kit.provider.restart(kit.ref(), kit.call))
      await followsAll(kit, follower)
      const hellos = follower.lines.filter(({ line }) => line === 'hello')
      assert.equal(hellos.length, 6, 'the first line of each, once')
      await follower.leave()
    },
  },
  {
    title: 'reads on where it was after the engine was away, losing and repeating nothing',
    rows: ['logs'],
    needs: ['logs'],
    async run(kit) {
      await kit.provision({ services: [kit.service({ counts: { line: 'tick', everyMs: 200 } })] })
      const follower = new Follower(kit)
      await follower.until((lines) => lines.length >= 3)
      await kit.harness.cut()
      await kit.pass(1000)
      await kit.harness.heal()
      await follower.until((lines) => lines.length >= 12)
      const numbers = follower.lines.map(({ line }) => Number(line.replace('tick ', '')))
      assert.deepEqual(
        numbers,
        numbers.map((_, at) => (numbers[0] ?? 0) + at),
      )
      await follower.leave()
    },
  },
  {
    title: 'ends a follower when the instance is gone',
    rows: ['logs'],
    needs: ['logs'],
    async run(kit) {
      await kit.provision({ services: [kit.service(says('hello'))] })
      const follower = new Follower(kit)
      await follower.until((lines) => lines.length === 1)
      await kit.gone()
      assert.equal(await follower.ended(), undefined)
    },
  },
  {
    title: 'keeps the lines of a service that crashed and was restarted',
    rows: ['logs', 'status'],
    needs: ['logs'],
    async run(kit) {
      const { replicas } = await kit.provision({ services: [kit.service(says('started'))] })
      await readUntil(kit, 1)
      await kit.harness.crash(replicas[0]?.engineId ?? '', 'web')
      const lines = await readUntil(kit, 2)
      assert.deepEqual(
        lines.map(({ line }) => line),
        ['started', 'started'],
      )
    },
  },
  {
    title: 'says that it could not look instead of reading nothing',
    rows: ['logs'],
    needs: ['logs'],
    async run(kit) {
      await kit.provision({ services: [kit.service(says('hello'))] })
      await kit.harness.cut()
      await kit.refused(kit.lines(), 'engine_unreachable', 'engine_refused')
    },
  },
]

/** Whatever was read in all ends with what is read as its end. */
async function readsLast(kit: Kit, all: readonly LogLine[]): Promise<void> {
  for (const tail of [1, 7, 399, 1000]) assert.deepEqual(await kit.lines({ tail }), all.slice(-tail))
  const follower = new Follower(kit, { tail: 7 })
  await follower.until((read) => read.length >= 7)
  assert.deepEqual(follower.lines, all.slice(-7))
  await follower.leave()
}

/** Output takes its way: waits until so many lines can be read. */
async function readUntil(kit: Kit, count: number) {
  return await kit.eventually(`${count} lines are read`, async () => {
    const lines = await kit.lines()
    return lines.length >= count && lines
  })
}

/**
 * What was there before is read first, and a replica that goes meanwhile takes its log along: each is followed for sure when
 * it was heard of again after all of them had been.
 */
async function followsAll(kit: Kit, follower: Follower): Promise<void> {
  const observed = await kit.settle(kit.harness.engine.look(kit.ref(), kit.call))
  const replicas = observed?.replicas.filter(({ terminating }) => !terminating) ?? []
  assert.equal(replicas.length, 2)
  const hasHeardSince = (from: number) => (lines: readonly LogLine[]) =>
    replicas.every(({ index }) => lines.some(({ replica, ts }) => replica === index && ts.getTime() > from))
  await follower.until(hasHeardSince(0))
  await follower.until(hasHeardSince(kit.harness.clock.now()))
}

const byStream = (lines: readonly { stream: string; line: string }[], stream: string): string[] =>
  lines.filter((each) => each.stream === stream).map(({ line }) => line)
