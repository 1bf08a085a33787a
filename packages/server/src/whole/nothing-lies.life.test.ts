/** What is done to a workload from its beginning to its end, and what can be seen of it meanwhile. On real processes. */

import { isFault } from '@gantry/core'
import { reachable } from '@gantry/providers/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askEdge } from './testing/ask-edge.ts'
import { processesOf } from './testing/leftovers.ts'
import { keepBusy } from './testing/load.ts'
import { moody, oneService } from './testing/moody-program.ts'
import { untilSaid } from './testing/said.ts'
import { settled } from './testing/settled.ts'
import { type System, startSystem } from './testing/system.ts'
import { until } from './testing/until.ts'

let system: System

beforeAll(async () => {
  system = await startSystem()
  await system.start()
})
afterAll(async () => {
  expect(await system.dispose()).toEqual([])
})

const tenant = () => system.client.tenant('default')
const begin = async (name: string, service: object = {}): Promise<void> => {
  await tenant().workloads.put(oneService(name, { ...moody('', 'v1'), ...service }))
  await settled(system.client, name)
}
const startedAt = async (name: string) =>
  (await tenant().workloads.replicas(name)).items.map(({ services }) => services.web?.startedAt)

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of bytes) parts.push(part)
  return Buffer.concat(parts).toString()
}

/** What a command inside the service says, and how it ended. */
async function runIn(name: string, argv: readonly string[], options = {}) {
  const running = await tenant().workloads.exec(name, argv, options)
  const [stdout, stderr, exit] = await Promise.all([textOf(running.stdout), textOf(running.stderr), running.exit])
  return { stdout, stderr, exit, where: running.where }
}

describe.concurrent('a workload', () => {
  it('stops, starts, restarts and goes, and says so each time', async () => {
    const { workloads } = tenant()
    await begin('life')
    const first = await startedAt('life')

    await workloads.patch('life', { metadata: { labels: { team: 'web' } } })
    await until(
      'the label to have reached the engine',
      () => tenant().instances.get('life-a'),
      ({ metadata, spec, status }) => spec.labels.team === 'web' && status.observedGeneration === metadata.generation,
    )
    expect(await startedAt('life')).toEqual(first)

    await settled(system.client, 'life', (await workloads.stop('life')).metadata.generation)
    const stopped = await untilSaid(system.client, 'life', 'Ready', /^False stopped Stopped, as asked for$/)
    expect(stopped.Degraded).toBe('False converged ')
    expect(stopped.replicas.items).toEqual([])
    expect(await askEdge(system.edgePort, 'life')).toMatch(/stopped|no replica|nobody|not running/i)

    await settled(system.client, 'life', (await workloads.start('life')).metadata.generation)
    await untilSaid(system.client, 'life', 'Ready', /^True /)
    const second = await startedAt('life')
    expect(second).not.toEqual(first)
    await until(
      'v1 to answer',
      () => askEdge(system.edgePort, 'life'),
      (body) => body === 'v1',
    )

    await settled(system.client, 'life', (await workloads.restart('life')).metadata.generation)
    expect(await startedAt('life')).not.toEqual(second)

    const { metadata } = await workloads.get('life')
    await workloads.delete('life')
    const end = await until(
      'it to be gone',
      () => workloads.get('life').catch((error: unknown) => error),
      (found) => isFault(found, 'not_found'),
    )
    expect(end).toMatchObject({ kind: 'not_found' })
    const left = (await processesOf(system.dataDir)).filter((line) => line.includes(metadata.uid))
    expect(left).toEqual([])
    expect((await tenant().instances.list().toArray()).filter(({ spec }) => spec.workload === 'life')).toEqual([])
  })

  it('gets its files, closed to others and never shown, and rolls when a secret has a new version', async () => {
    const { workloads, secrets } = tenant()
    await secrets.put({ apiVersion: 'gantry/v1', kind: 'Secret', metadata: { name: 'database' }, spec: {} })
    await secrets.putData('database', { text: { url: 'first-hush' } })
    await begin('files', {
      secrets: [
        { name: 'database', key: 'url', env: 'DATABASE_URL' },
        { name: 'database', key: 'url', file: '/run/secrets/url' },
      ],
      configFiles: [{ name: 'app', path: '/etc/app.txt', format: 'text', content: 'configured', mode: '0444' }],
    })
    const look = async () => {
      const program = `
        const { readFileSync, statSync } = require('node:fs')
        const mode = (path) => (statSync(path).mode & 0o777).toString(8)
        console.log(JSON.stringify({
          env: process.env.DATABASE_URL === readFileSync('run/secrets/url', 'utf8'),
          length: readFileSync('run/secrets/url', 'utf8').length,
          secret: mode('run/secrets/url'), config: readFileSync('etc/app.txt', 'utf8'), open: mode('etc/app.txt'),
        }))`
      const { stdout, stderr, exit } = await runIn('files', [reachable(process.execPath), '-e', program])
      expect([stderr, exit]).toEqual(['', { ended: 'exited', exitCode: 0 }])
      return JSON.parse(stdout) as object
    }
    expect(await look()).toEqual({ env: true, length: 10, secret: '400', config: 'configured', open: '444' })

    await secrets.putData('database', { text: { url: 'second-hush-hush' } })
    await until(
      'the new version to be rolled out',
      () => workloads.get('files'),
      ({ status }) => status.release === 2,
    )
    const { rollout } = await settled(system.client, 'files')
    expect(rollout?.spec).toMatchObject({ trigger: 'secret', release: 2, from: 1 })
    expect(await look()).toMatchObject({ env: true, length: 16 })
    const shown = JSON.stringify([
      await workloads.get('files'),
      await workloads.replicas('files'),
      await workloads.releases('files').toArray(),
      await workloads.rollouts('files').toArray(),
      await tenant().instances.list().toArray(),
      await secrets.get('database'),
    ])
    expect(shown).not.toContain('hush')
  })

  it('runs commands inside, with their own exit code, with and without a terminal', async () => {
    await begin('exec')
    const failed = await runIn('exec', ['sh', '-c', 'echo out; echo err >&2; exit 7'])
    expect(failed).toMatchObject({ stdout: 'out\n', stderr: 'err\n', exit: { ended: 'exited', exitCode: 7 } })
    expect(failed.where).toMatchObject({ service: 'web', replica: 0 })
    const tty = { rows: 33, columns: 101 }
    const there = await runIn('exec', ['sh', '-c', 'test -t 1 && stty size; exit 3'], { tty, stdin: true })
    expect(there.stdout.trim()).toBe('33 101')
    expect(there.exit).toEqual({ ended: 'exited', exitCode: 3 })
    expect(await runIn('exec', ['no-such-program-anywhere'])).toMatchObject({
      stderr: 'no-such-program-anywhere: not found\n',
      exit: { ended: 'exited', exitCode: 127 },
    })
  })

  it('has logs that go on over a replacement, and events that tell what happened', async () => {
    const { workloads } = tenant()
    await begin('talks')
    const heard: string[] = []
    const enough = new AbortController()
    const following = (async () => {
      for await (const record of workloads.logs('talks', { follow: true, signal: enough.signal })) {
        if ('line' in record) heard.push(record.line)
      }
    })().catch((error: unknown) => {
      if (!enough.signal.aborted) throw error
    })
    try {
      await workloads.deploy('talks', { services: [{ name: 'web', env: { SAYS: 'v2', MOOD: '' } }] })
      await until(
        'all to be heard',
        async () => heard,
        (lines) => lines.includes('ends as v1'),
      )
    } finally {
      enough.abort()
      await following
    }
    expect(heard.toSorted()).toEqual(['begins as v1', 'begins as v2', 'ends as v1'])
    const kept = []
    for await (const record of workloads.logs('talks')) if ('line' in record) kept.push(record.line)
    expect(kept.toSorted()).toEqual(heard.toSorted())
    const told = await until(
      'events to be written',
      async () => (await workloads.events('talks').toArray()).map(({ reason, message }) => `${reason}: ${message}`),
      (lines) => lines.some((line) => line.includes('v2 has succeeded')),
    )
    expect(told.join('\n')).toMatch(/Rollout: rolls out v2 in place of v1 \(deploy\)/)
    expect(told.join('\n')).toMatch(/Created: was made/)
  })

  it('uses more than another when it is busy and the other is not', async () => {
    await Promise.all([begin('busy'), begin('idle')])
    const load = keepBusy({ port: system.edgePort, host: 'busy.default.localhost', connections: 4 })
    const last = async (name: string) => (await tenant().workloads.usage(name)).samples.at(-1)
    try {
      const [busy] = await until(
        'samples of both',
        async () => [await last('busy'), await last('idle')],
        ([more, less]) => (more?.cpuMillis ?? 0) > (less?.cpuMillis ?? Number.POSITIVE_INFINITY) + 20,
        { withinMs: 120_000 },
      )
      expect(busy?.memoryBytes).toBeGreaterThan(1_000_000)
      const metrics = await system.client.metrics()
      const [, answered] =
        /^gantry_workload_requests_total\{.*workload="busy",class="2xx"\} (\d+)$/m.exec(metrics) ?? []
      expect(Number(answered)).toBeGreaterThan(0)
      expect(metrics).toMatch(/^gantry_workload_request_seconds_count\{.*workload="busy"\} \d+$/m)
    } finally {
      await load.stop()
    }
  })
})
