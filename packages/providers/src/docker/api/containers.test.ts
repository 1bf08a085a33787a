import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { type RealDocker, realDocker } from '../../testing/real-docker.ts'

const signal = AbortSignal.timeout(600_000)
const call = { signal }

describe('containers of a real engine', () => {
  let found: Awaited<ReturnType<typeof realDocker>>
  beforeAll(async () => {
    found = await realDocker()
  })
  afterAll(() => ('docker' in found ? found.end() : undefined))

  const rig = ({ skip }: Pick<TestContext, 'skip'>): RealDocker => ('missing' in found ? skip(found.missing) : found)

  it('are made, found, started, looked at, ended and removed, and a second time is no harm', async (context) => {
    const { docker, address, labels, label, name } = rig(context)
    const { containers } = docker
    const own = name('life')
    const settings = {
      Image: address.image,
      Cmd: ['sh', '-c', 'trap "exit 7" TERM; while :; do sleep 0.1; done'],
      Labels: labels,
      HostConfig: { Memory: 64 * 1024 * 1024, NanoCpus: 500_000_000, PidsLimit: 50 },
    }
    const { Id } = await containers.create(own, settings, call)
    const again = containers.create(own, settings, call)
    await expect(again).rejects.toMatchObject({ reason: 'engine_object_exists' })
    await containers.start(Id, call)
    await containers.start(Id, call)
    const listed = await containers.list({ all: false, filters: { label: [label], name: [own] } }, call)
    expect(listed).toMatchObject([{ Id, State: 'running', Names: [`/${own}`] }])
    expect(await containers.inspect(own, call)).toMatchObject({
      State: { Running: true },
      HostConfig: { PidsLimit: 50 },
    })
    const stats = await containers.stats(Id, call)
    expect(stats?.memory_stats.limit).toBe(64 * 1024 * 1024)
    expect(stats?.cpu_stats.cpu_usage.total_usage).toBeGreaterThan(0)
    const ended = containers.wait(Id, 'not-running', call)
    await containers.stop(Id, 20, call)
    expect(await ended).toBe(7)
    await containers.stop(Id, 1, call)
    await expect(containers.kill(Id, 'KILL', call)).rejects.toMatchObject({ reason: 'service_not_running' })
    for (let time = 0; time < 2; time += 1) await containers.remove(Id, { force: true, volumes: true }, call)
    expect(await containers.inspect(Id, call)).toBeUndefined()
    expect(await containers.stats(Id, call)).toBeUndefined()
  })

  it('give their output by stream with a timestamp per frame, and raw where they have a terminal', async (context) => {
    const { docker, run } = rig(context)
    const id = await run(['sh', '-c', 'echo out; echo err >&2; head -c 40000 /dev/zero | tr "\\0" x'])
    await docker.containers.wait(id, 'not-running', call)
    const range = { tty: false, follow: true, timestamps: true }
    const text = { stdout: '', stderr: '' }
    let frames = 0
    for await (const { stream, data } of await docker.containers.logs(id, range, call)) {
      const [, line] = /^\d{4}-\d\d-\d\dT[\d:.]+Z (.*)$/s.exec(data.toString()) ?? []
      expect(line).toBeDefined()
      text[stream] += line
      frames += 1
    }
    expect(text).toEqual({ stdout: `out\n${'x'.repeat(40_000)}`, stderr: 'err\n' })
    expect(frames).toBeGreaterThanOrEqual(4)

    const terminal = await run(['echo', 'raw'], { Tty: true })
    await docker.containers.wait(terminal, 'not-running', call)
    let raw = ''
    const plain = { tty: true, follow: false, timestamps: false }
    for await (const { data } of await docker.containers.logs(terminal, plain, call)) raw += data.toString()
    expect(raw).toBe('raw\r\n')
    const absent = docker.containers.logs('no-such-container', plain, call)
    await expect(absent).rejects.toMatchObject({ reason: 'engine_object_not_found' })
  })

  it('take an archive in and give it out again', async (context) => {
    const { docker, run } = rig(context)
    const id = await run(['sleep', '1000'])
    await docker.containers.putArchive(id, '/var', oneFile('greeting', 'hello'), call)
    const chunks: Buffer[] = []
    for await (const chunk of await docker.containers.getArchive(id, '/var/greeting', call)) chunks.push(chunk)
    const archive = Buffer.concat(chunks)
    expect(archive.toString('latin1', 0, 8)).toBe('greeting')
    expect(archive.toString('latin1', 512, 517)).toBe('hello')
    const nowhere = docker.containers.putArchive(id, '/no/such/folder', oneFile('a', 'b'), call)
    await expect(nowhere).rejects.toMatchObject({ reason: 'engine_object_not_found' })
  })

  it('are refused with a reason: no image, no settings that make sense, a port that is taken', async (context) => {
    const { docker, address, labels, name, run } = rig(context)
    const { containers } = docker
    const missing = containers.create(name('none'), { Image: 'gantry-test/none:1', Labels: labels }, call)
    await expect(missing).rejects.toMatchObject({ reason: 'engine_object_not_found' })
    const senseless = { Image: address.image, Labels: labels, HostConfig: { Memory: 1 } }
    await expect(containers.create(name('tiny'), senseless, call)).rejects.toMatchObject({ reason: 'engine_rejected' })
    const published = { ExposedPorts: { '80/tcp': {} }, HostConfig: { PortBindings: binding('0') } }
    const first = await run(['sleep', '1000'], published)
    const bound = (await containers.inspect(first, call))?.NetworkSettings.Ports?.['80/tcp']?.[0]?.HostPort
    expect(Number(bound)).toBeGreaterThan(0)
    const second = run(['sleep', '1000'], { ...published, HostConfig: { PortBindings: binding(bound ?? '') } })
    await expect(second).rejects.toMatchObject({ reason: 'port_in_use' })
  })
})

const binding = (HostPort: string) => ({ '80/tcp': [{ HostIp: '127.0.0.1', HostPort }] })

/** The smallest archive there is: one header, one block. */
function oneFile(name: string, text: string): Buffer {
  const bytes = Buffer.alloc(4 * 512)
  bytes.write(name, 0)
  bytes.write('0000644\0', 100)
  bytes.write(`${text.length.toString(8).padStart(11, '0')}\0`, 124)
  bytes.write('        ', 148)
  bytes.write('0', 156)
  const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  bytes.write(text, 512)
  return bytes
}
