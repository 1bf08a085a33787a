import { readFileSync } from 'node:fs'
import { buildImage, engine, pushImage } from '@gantry/engines'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { type RealDocker, realDocker } from '../../testing/real-docker.ts'
import type { ExecSession } from './api.ts'
import type { DockerEvent } from './types/events.ts'
import type { PullProgress } from './types/images.ts'
import { oldestApi } from './versions.ts'

const signal = AbortSignal.timeout(600_000)
const call = { signal }

async function output(session: ExecSession): Promise<{ stdout: string; stderr: string }> {
  const text = { stdout: '', stderr: '' }
  for await (const { stream, data } of session.output) text[stream] += data.toString()
  return text
}

describe('a real engine', () => {
  let found: Awaited<ReturnType<typeof realDocker>>
  beforeAll(async () => {
    found = await realDocker()
  })
  afterAll(() => ('docker' in found ? found.end() : undefined))

  const rig = ({ skip }: Pick<TestContext, 'skip'>): RealDocker => ('missing' in found ? skip(found.missing) : found)

  it('says what it is, and speaks a version that we know', async (context) => {
    const { docker, address } = rig(context)
    expect(await docker.system.version(call)).toMatchObject({
      Version: address.version,
      ApiVersion: address.apiVersion,
    })
    await docker.system.ping(call)
    expect(await docker.system.info(call)).toMatchObject({ Driver: 'overlay2', LiveRestoreEnabled: false })
    expect(Number(docker.apiVersion.split('.')[1])).toBeGreaterThanOrEqual(Number(oldestApi.split('.')[1]))
  })

  it('runs a command with its input, its streams apart, and its exit code', async (context) => {
    const { docker, run } = rig(context)
    const id = await run(['sleep', '1000'])
    const settings = { AttachStdin: true, AttachStdout: true, AttachStderr: true, Tty: false }
    const Cmd = ['sh', '-c', 'echo early; cat; echo bad >&2; exit 3']
    const exec = await docker.execs.create(id, { ...settings, Cmd }, call)
    const session = await docker.execs.start(exec, { tty: false }, call)
    const large = 'x'.repeat(300_000)
    const reading = output(session)
    await session.write(Buffer.from(large))
    session.endInput()
    expect(await reading).toEqual({ stdout: `early\n${large}`, stderr: 'bad\n' })
    expect(await docker.execs.exitCode(exec, call)).toBe(3)
  })

  it('runs a command in a terminal, and tells it the size', async (context) => {
    const { docker, run } = rig(context)
    const id = await run(['sleep', '1000'])
    const settings = { AttachStdin: true, AttachStdout: true, AttachStderr: true, Tty: true }
    const exec = await docker.execs.create(id, { ...settings, Cmd: ['sh', '-c', 'read go; stty size'] }, call)
    const session = await docker.execs.start(exec, { tty: true }, call)
    await docker.execs.resize(exec, { rows: 33, columns: 77 }, call)
    const reading = output(session)
    await session.write(Buffer.from('go\n'))
    expect((await reading).stdout).toContain('33 77\r\n')
    expect(await docker.execs.exitCode(exec, call)).toBe(0)
    await docker.containers.kill(id, 'KILL', call)
    await docker.containers.wait(id, 'not-running', call)
    const late = docker.execs.create(id, { ...settings, Cmd: ['true'] }, call)
    await expect(late).rejects.toMatchObject({ reason: 'service_not_running' })
  })

  it('tells of what happens, and again of what has happened', async (context) => {
    const { docker, run, label } = rig(context)
    const filters = { type: ['container'], event: ['start', 'die'], label: [label] }
    const leaving = new AbortController()
    const events = await docker.system.events({ filters }, leaving)
    const id = await run(['false'])
    const seen: DockerEvent[] = []
    for await (const event of events) {
      if (event.Actor.ID === id) seen.push(event)
      if (seen.length === 2) break
    }
    expect(seen.map(({ Action }) => Action)).toEqual(['start', 'die'])
    expect(seen[1]?.Actor.Attributes.exitCode).toBe('1')
    const range = { since: String((seen[0]?.time ?? 0) - 1), until: String((seen[1]?.time ?? 0) + 1), filters }
    const again: string[] = []
    for await (const { Action, Actor } of await docker.system.events(range, call)) {
      if (Actor.ID === id) again.push(Action)
    }
    expect(again).toEqual(['start', 'die'])
  })

  it('makes networks with a subnet and lets containers in and out, and volumes', async (context) => {
    const { docker, labels, label, name, run, freeSubnet } = rig(context)
    const subnet = await freeSubnet()
    const own = name('net')
    const settings = { Name: own, Labels: labels, IPAM: { Config: [{ Subnet: subnet }] } }
    const id = await docker.networks.create(settings, call)
    await expect(docker.networks.create(settings, call)).rejects.toMatchObject({ reason: 'engine_object_exists' })
    const container = await run(['sleep', '1000'], { HostConfig: { NetworkMode: 'none' } })
    await docker.networks.disconnect('none', container, call)
    await docker.networks.connect(id, container, { Aliases: ['web'] }, call)
    expect(Object.keys((await docker.networks.inspect(own, call))?.Containers ?? {})).toEqual([container])
    await expect(docker.networks.remove(id, call)).rejects.toMatchObject({ reason: 'engine_object_conflict' })
    for (let time = 0; time < 2; time += 1) await docker.networks.disconnect(id, container, call)
    for (let time = 0; time < 2; time += 1) await docker.networks.remove(id, call)
    expect(await docker.networks.inspect(id, call)).toBeUndefined()

    const volume = await docker.volumes.create({ Name: name('vol'), Labels: labels }, call)
    const mount = { Type: 'volume', Source: volume.Name, Target: '/data' } as const
    const holder = await run(['sleep', '1000'], { HostConfig: { Mounts: [mount] } })
    expect(await docker.volumes.list({ label: [label] }, call)).toMatchObject([{ Name: volume.Name }])
    await expect(docker.volumes.remove(volume.Name, call)).rejects.toMatchObject({ reason: 'engine_object_conflict' })
    await docker.containers.remove(holder, { force: true, volumes: false }, call)
    for (let time = 0; time < 2; time += 1) await docker.volumes.remove(volume.Name, call)
    expect(await docker.volumes.inspect(volume.Name, call)).toBeUndefined()
  })

  it('pulls with progress, pins what it pulled, and fails in the words of the registry', async (context) => {
    const { docker, address, labels, name } = rig(context)
    const registry = await engine('registry', call)
    if (registry.state === 'missing') return context.skip(registry.why)
    const repository = `${registry.address.host}/${name('pulled')}`
    const image = buildImage(readFileSync(address.layer), { Cmd: ['true'], Labels: labels })
    const digest = await pushImage(image, `${repository}:1`, call)
    const progress: PullProgress[] = []
    await docker.images.pull(`${repository}:1`, { onProgress: (line) => progress.push(line) }, call)
    expect(progress.some(({ status }) => status === `Digest: ${digest}`)).toBe(true)
    const pulled = await docker.images.inspect(`${repository}:1`, call)
    expect(pulled).toMatchObject({ Id: image.id, RepoDigests: [`${repository}@${digest}`] })
    for (let time = 0; time < 2; time += 1) await docker.images.remove(`${repository}:1`, call)
    await docker.images.pull(`${repository}@${digest}`, {}, call)
    await docker.images.tag(image.id, repository, 'again', call)
    expect((await docker.images.inspect(`${repository}:again`, call))?.Id).toBe(image.id)
    for (const reference of [`${repository}:again`, `${repository}@${digest}`])
      await docker.images.remove(reference, call)
    const missing = docker.images.pull(`${repository}:2`, {}, call)
    await expect(missing).rejects.toMatchObject({
      reason: 'image_pull_failed',
      message: expect.stringContaining('manifest unknown'),
    })
  })
})
