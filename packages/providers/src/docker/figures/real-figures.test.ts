import { systemClock } from '@gantry/core'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { dockerClient } from '../../testing/docker-client.ts'
import { type RealDocker, realDocker } from '../../testing/real-docker.ts'
import type { Usage } from '../../usage.ts'
import { capacityOf } from './capacity.ts'
import type { Measured } from './figures.ts'
import { usageMeter } from './usage.ts'

const signal = AbortSignal.timeout(600_000)
const call = { signal }
const soon = { timeout: 60_000, interval: 500 }

describe('figures of a real engine', () => {
  let found: Awaited<ReturnType<typeof realDocker>>
  beforeAll(async () => {
    found = await realDocker()
  })
  afterAll(() => ('docker' in found ? found.end() : undefined))

  const rig = ({ skip }: Pick<TestContext, 'skip'>): RealDocker => ('missing' in found ? skip(found.missing) : found)

  const measured = async ({ docker }: RealDocker, id: string, replica: string, more = {}): Promise<Measured> => {
    const startedAt = new Date((await docker.containers.inspect(id, call))?.State.StartedAt ?? '')
    return { id, replica, startedAt, ...more }
  }

  it('move with what is done: cpu, memory, network and disk', async (context) => {
    const real = rig(context)
    const { docker, run, name, labels } = real
    const script =
      'read go < /go; dd if=/dev/zero of=/big bs=1M count=20; dd if=/dev/zero of=/data/more bs=1M count=10; while :; do :; done'
    const Source = name('vol')
    await docker.volumes.create({ Name: Source, Labels: labels }, call)
    const HostConfig = {
      NanoCpus: 500_000_000,
      Memory: 64 * 1024 * 1024,
      Mounts: [{ Type: 'volume', Source, Target: '/data' }],
    } as const
    const busy = await run(['sh', '-c', `mkfifo /go; ${script}`], { HostConfig })
    const idle = await run(['sleep', '100000'])
    const limits = { cpuLimitMillis: 500, memoryLimitBytes: 64 * 1024 * 1024 }
    const busyOne = await measured(real, busy, 'busy', { ...limits, volumes: [Source] })
    const both = [busyOne, await measured(real, idle, 'idle')]
    const meter = usageMeter(docker, systemClock)
    const before = await meter.usageOf(both, call)
    expect(before?.memoryBytes).toBeGreaterThan(0)
    expect(before?.replicas?.map(({ engineId }) => engineId)).toEqual(['busy', 'idle'])
    expect(before?.memoryLimitBytes).toBeUndefined()
    const exec = { AttachStdin: false, AttachStdout: true, AttachStderr: true, Tty: false }
    const go = await docker.execs.create(busy, { ...exec, Cmd: ['sh', '-c', 'echo > /go'] }, call)
    for await (const frame of (await docker.execs.start(go, { tty: false }, call)).output) void frame
    const ofReplica = (usage: Usage | undefined, at: number) => usage?.replicas?.[at]?.cpuMillis ?? 0
    // How much of a core it gets is up to all else that the machine does.
    let after: Usage | undefined
    const times = async () => {
      after = await meter.usageOf(both, call)
      return ofReplica(after, 0) / Math.max(5, ofReplica(after, 1))
    }
    await expect.poll(times, soon).toBeGreaterThan(4)
    expect(after?.networkInBytes).toBeGreaterThan(0)
    const alone = await meter.usageOf([busyOne], call)
    expect(alone?.memoryLimitBytes).toBe(64 * 1024 * 1024)
    expect(alone?.cpuPercent).toBeCloseTo((alone?.cpuMillis ?? 0) / 5, 5)
    expect(alone?.cpuMillis).toBeGreaterThan(0)
    // Of a meter that has not counted files yet; how long that takes is the engine's affair.
    const fresh = usageMeter(docker, systemClock)
    const bytes = async () => (await fresh.usageOf([busyOne], call))?.diskBytes ?? 0
    await expect.poll(bytes, soon).toBeGreaterThanOrEqual(30 * 1024 * 1024)
    expect((await docker.system.volumeSizes(call)).get(Source)).toBeGreaterThanOrEqual(10 * 1024 * 1024)
  })

  it('are what the client of Docker says', async (context) => {
    const real = rig(context)
    const { docker, run, address } = real
    const id = await run([
      'sh',
      '-c',
      'head -c 20000000 /dev/zero > /file; x=$(head -c 3000000 /dev/zero | tr "\\0" x); sleep 100000',
    ])
    const one = [await measured(real, id, 'one')]
    const meter = usageMeter(docker, systemClock)
    const client = await dockerClient(address)
    if ('missing' in client) return context.skip(client.missing)
    const said = async () => {
      const ours = (await meter.usageOf(one, call))?.memoryBytes ?? 0
      const [theirs = ''] = (await client('stats', '--no-stream', '--format', '{{.MemUsage}}', id)).stdout
        .trim()
        .split(' / ')
      return Math.abs(ours - bytesIn(theirs))
    }
    await expect.poll(said, soon).toBeLessThan(1024 * 1024)
    const [cpus, memory] = (await client('info', '--format', '{{.NCPU}} {{.MemTotal}}')).stdout.split(' ').map(Number)
    expect(await capacityOf(docker, systemClock, call)).toMatchObject({
      cpuMillis: { total: (cpus ?? 0) * 1000 },
      memoryBytes: { total: memory },
    })
  })

  it('are none of what does not run, and none for who has left', async (context) => {
    const { docker, run } = rig(context)
    const meter = usageMeter(docker, systemClock)
    const over = await run(['true'])
    await docker.containers.wait(over, 'not-running', call)
    expect(await meter.usageOf([{ id: over, replica: 'over' }], call)).toBeUndefined()
    expect(await meter.usageOf([{ id: 'no-such-container', replica: 'none' }], call)).toBeUndefined()
    expect(await meter.usageOf([], call)).toBeUndefined()
    const reason = new Error('left')
    const left = meter.usageOf([{ id: over, replica: 'over' }], { signal: AbortSignal.abort(reason) })
    await expect(left).rejects.toBe(reason)
  })
})

/** As the client writes it: `4.062MiB`. */
function bytesIn(text: string): number {
  const [, number, unit] = /^([\d.]+)(B|KiB|MiB|GiB)$/.exec(text) ?? []
  return Number(number) * 1024 ** ['B', 'KiB', 'MiB', 'GiB'].indexOf(unit ?? '')
}
