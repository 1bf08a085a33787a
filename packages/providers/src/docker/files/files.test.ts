import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { type RealDocker, realDocker } from '../../testing/real-docker.ts'
import { filesPlaced, placeFiles } from './place.ts'
import { configFile, emptyHolder, heldFiles, output, secretFile, serve } from './testing/held-files.ts'
import { filesOnDisk } from './testing/on-disk.ts'
import { filesVolume } from './volume.ts'

const call = { signal: AbortSignal.timeout(600_000) }
const run = promisify(execFile)
const root = { uid: 0, gid: 0 }
const sample = (): string => `value-${randomBytes(12).toString('hex')}`

describe('files of a replica on a real engine', () => {
  let found: Awaited<ReturnType<typeof realDocker>>
  beforeAll(async () => {
    found = await realDocker()
  })
  afterAll(() => ('docker' in found ? found.end() : undefined))

  const rig = ({ skip }: Pick<TestContext, 'skip'>): RealDocker => ('missing' in found ? skip(found.missing) : found)

  it.for([
    ['1234:5678', { uid: 1234, gid: 5678 }],
    ['nobody', { uid: 65_534, gid: 65_534 }],
    ['', root],
  ] as const)('are read by user "%s", whose they are, and by nobody else', async ([user, owner], context) => {
    const real = rig(context)
    const configFiles = [configFile('/etc/app/config.yaml', 'a: 1\n', '0640'), configFile('/etc/motd', 'hello\n')]
    const secrets = [secretFile('/run/secrets/deep/below/cert', '---cert---\n')]
    const held = await heldFiles(real, [{ name: 'web', configFiles, secrets }], { web: owner })
    const id = await serve(real, held, 'web', { User: user })
    const paths = '/etc/app/config.yaml /etc/motd /run/secrets/deep/below/cert'
    expect(await output(real, id, `cat ${paths}`)).toEqual({ text: 'a: 1\nhello\n---cert---\n', code: 0 })
    const whose = `${owner.uid} ${owner.gid}\n`
    expect((await output(real, id, `stat -c '%a %u %g' ${paths}`)).text).toBe(`640 ${whose}444 ${whose}400 ${whose}`)
    const stranger = await output(real, id, 'cat /etc/motd /run/secrets/deep/below/cert', '4321:4321')
    expect(stranger).toMatchObject({ text: expect.stringContaining('hello\n'), code: 1 })
    expect(stranger.text).toContain('Permission denied')
    expect(stranger.text).not.toContain('---cert---')
  })

  it('cannot be changed or removed, even by root, and are programs where their mode says so', async (context) => {
    const real = rig(context)
    const services = [
      { name: 'web', configFiles: [configFile('/bin/hello', '#!/bin/sh\necho hi\n', '0755')], secrets: [] },
    ]
    const held = await heldFiles(real, services, { web: root })
    const id = await serve(real, held, 'web')
    expect((await output(real, id, 'hello')).text).toBe('hi\n')
    for (const script of ['echo x > /bin/hello', 'chmod 777 /bin/hello', 'rm /bin/hello']) {
      expect((await output(real, id, script)).code).not.toBe(0)
    }
    expect((await output(real, id, 'cat /bin/hello')).text).toBe('#!/bin/sh\necho hi\n')
  })

  it('lie inside of a volume where their path does', async (context) => {
    const real = rig(context)
    const services = [{ name: 'web', configFiles: [configFile('/data/conf/app', 'inside')], secrets: [] }]
    const held = await heldFiles(real, services, { web: root })
    const volume = await real.docker.volumes.create({ Name: real.name('data'), Labels: real.labels }, call)
    const Mounts = [{ Type: 'volume', Source: volume.Name, Target: '/data' } as const]
    const id = await serve(real, held, 'web', { HostConfig: { Mounts } })
    expect((await output(real, id, 'echo mine > /data/own && cat /data/own /data/conf/app')).text).toBe('mine\ninside')
  })

  it('are apart from those of other services of the replica', async (context) => {
    const real = rig(context)
    const [mine, theirs] = [sample(), sample()]
    const services = [
      { name: 'web', configFiles: [], secrets: [secretFile('/run/key', mine)] },
      { name: 'db', configFiles: [], secrets: [secretFile('/run/key', theirs)] },
    ]
    const held = await heldFiles(real, services, { web: root, db: { uid: 70, gid: 70 } })
    const [web, db] = [await serve(real, held, 'web'), await serve(real, held, 'db', { User: '70:70' })]
    expect((await output(real, web, 'cat /run/key')).text).toBe(mine)
    expect((await output(real, db, 'cat /run/key')).text).toBe(theirs)
    const search = await output(real, web, `grep -rl ${theirs} /run /etc /files /var /tmp; cat /proc/mounts`)
    expect(search.text).not.toContain('/db/')
    expect(search.text.split('\n').filter((line) => /^\/(run|etc|files|var|tmp)/.test(line))).toEqual([])
  })

  it('may be large, many, empty, and no text', async (context) => {
    const real = rig(context)
    const large = randomBytes(8 * 1024 * 1024)
    const secrets = [
      secretFile('/run/large', large),
      secretFile('/run/empty', ''),
      ...Array.from({ length: 60 }, (_, at) => secretFile(`/run/many/${at}`, String(at))),
    ]
    const held = await heldFiles(real, [{ name: 'web', configFiles: [], secrets }], { web: root })
    const id = await serve(real, held, 'web')
    const sum = createHash('sha256').update(large).digest('hex')
    expect((await output(real, id, 'sha256sum < /run/large; wc -c < /run/empty; cat /run/many/* | wc -c')).text).toBe(
      `${sum}  -\n0\n110\n`,
    )
  })

  it('are in memory: neither on the disk of the engine nor in what it tells of its things', async (context) => {
    const real = rig(context)
    const [value, config] = [sample(), sample()]
    const services = [
      { name: 'web', configFiles: [configFile('/etc/app', config)], secrets: [secretFile('/run/key', value)] },
    ]
    const held = await heldFiles(real, services, { web: root })
    // A control: what is on the disk is found.
    const onDisk = sample()
    const id = await serve(real, held, 'web', { Labels: { ...real.labels, 'gantry.test/known': onDisk } })
    expect((await output(real, id, 'cat /run/key /etc/app')).text).toBe(value + config)
    const { DockerRootDir } = await real.docker.system.info(call)
    expect(await filesOnDisk(DockerRootDir, [onDisk])).not.toEqual([])
    expect(await filesOnDisk(DockerRootDir, [value, config])).toEqual([])
    const env = { ...process.env, DOCKER_HOST: `unix://${real.address.socket}` }
    const { stdout } = await run('docker', ['inspect', id, held.holder, held.volume.Name], { env, ...call })
    expect(stdout).toContain(onDisk)
    for (const secret of [value, config, Buffer.from(value).toString('base64')]) expect(stdout).not.toContain(secret)
    expect((await output(real, id, 'grep -c "^tmpfs /run/key\\|^tmpfs /etc/app" /proc/mounts')).text).toBe('2\n')
  })

  it('are gone when the holder has ended, and placed again when it runs again', async (context) => {
    const real = rig(context)
    const services = [{ name: 'web', configFiles: [], secrets: [secretFile('/run/key', 'again')] }]
    const { containers } = real.docker
    const held = await emptyHolder(real, services)
    expect(await filesPlaced(real.docker, held.holder, call)).toBe(false)
    await placeFiles(real.docker, held.holder, held.files, { web: root }, call)
    expect(await filesPlaced(real.docker, held.holder, call)).toBe(true)
    const id = await serve(real, held, 'web')
    expect(await readdir(held.volume.Mountpoint)).toEqual(expect.arrayContaining(['web']))
    await containers.stop(id, 0, call)
    await containers.stop(held.holder, 60, call)
    expect((await containers.inspect(held.holder, call))?.State).toMatchObject({ Status: 'exited', ExitCode: 0 })
    expect(await readdir(held.volume.Mountpoint)).toEqual([])
    expect(await filesPlaced(real.docker, held.holder, call)).toBe(false)
    // A service cannot be started without what it needs.
    await expect(containers.start(id, call)).rejects.toMatchObject({ kind: 'invalid' })
    await containers.start(held.holder, call)
    expect(await filesPlaced(real.docker, held.holder, call)).toBe(false)
    for (let time = 0; time < 2; time += 1) {
      await placeFiles(real.docker, held.holder, held.files, { web: root }, call)
    }
    await containers.start(id, call)
    expect((await output(real, id, 'cat /run/key')).text).toBe('again')
  })

  it('are in no fault, whatever goes wrong', async (context) => {
    const real = rig(context)
    const value = sample().repeat(100_000)
    const services = [{ name: 'web', configFiles: [], secrets: [secretFile('/run/key', value)] }]
    const small = await emptyHolder(real, [{ name: 'web', configFiles: [], secrets: [] }])
    const held = await emptyHolder(real, services)
    const owners = { web: root }
    const fail = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => 'nothing',
        (error: unknown) => error,
      )
    const ended = new AbortController()
    ended.abort(new Error('the caller left'))
    const place = (holder: string, options = call): Promise<unknown> =>
      fail(placeFiles(real.docker, holder, held.files, owners, options))
    const faults = [await place(small.holder), await place('nowhere'), await place(held.holder, ended)]
    await real.docker.containers.stop(held.holder, 10, call)
    faults.push(await place(held.holder))
    expect(faults).toMatchObject([
      { reason: 'engine_full' },
      { reason: 'engine_object_not_found' },
      { message: 'the caller left' },
      { reason: 'service_not_running' },
    ])
    for (const fault of faults) expect(allOf(fault)).not.toContain(value.slice(0, 30))
  })

  it('are in a volume that is there once, however often it is made, with its labels', async (context) => {
    const { docker, name, labels } = rig(context)
    const settings = filesVolume(name('files'), labels, [])
    const made = [await docker.volumes.create(settings, call), await docker.volumes.create(settings, call)]
    expect(made[1]).toEqual(made[0])
    expect(made[0]?.Labels).toEqual(labels)
  })
})

/** Everything that could be printed of an error, and of what caused it. */
function allOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return [
    JSON.stringify(error),
    ...Object.getOwnPropertyNames(error).map((key) => String(Reflect.get(error, key))),
    allOf(error.cause),
  ].join('\n')
}
