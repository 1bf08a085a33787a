import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { type TarEntry, tar } from '@gantry/engines'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { type RealDocker, realDocker } from '../../testing/real-docker.ts'
import { imageUsers } from './image-users.ts'
import { heldFiles, output, secretFile, serve } from './testing/held-files.ts'
import { layeredImage } from './testing/layered-image.ts'

const call = { signal: AbortSignal.timeout(600_000) }
const passwd = 'root:x:0:0::/:/bin/sh\napp:x:1500:1600:App:/:/bin/sh\n'
const group = 'root:x:0:\napp:x:1600:\nwww:x:33:app\n'

describe('users of an image on a real engine', () => {
  let found: Awaited<ReturnType<typeof realDocker>>
  const images: string[] = []
  beforeAll(async () => {
    found = await realDocker()
  })
  afterAll(async () => {
    if ('missing' in found) return
    const { docker, label, end } = found
    // An image is removed only when no container is left of it.
    for (const { Id } of await docker.containers.list({ all: true, filters: { label: [label] } }, call)) {
      await docker.containers.remove(Id, { force: true, volumes: true }, call)
    }
    for (const reference of images) await docker.images.remove(reference, call)
    await end()
  })

  const rig = ({ skip }: Pick<TestContext, 'skip'>): RealDocker => ('missing' in found ? skip(found.missing) : found)

  /** The test image with other files over it, or these files alone; answers its id. */
  async function imageWith({ docker, name, address }: RealDocker, files: TarEntry[], alone = false): Promise<string> {
    const below = alone ? [] : [readFileSync(address.layer)]
    const reference = `gantry-test/${name('users')}:1`
    await docker.images.load(layeredImage([...below, tar(files)], reference), call)
    images.push(reference)
    return (await docker.images.inspect(reference, call))?.Id ?? ''
  }

  const looking = ({ docker, labels, name }: RealDocker, namePrefix = name('users')) =>
    imageUsers(docker, { namePrefix, labels })

  const tables: TarEntry[] = [
    { path: 'etc/passwd', content: passwd },
    { path: 'etc/group', content: group },
  ]

  it.for([
    ['app', { uid: 1500, gid: 1600 }],
    ['app:www', { uid: 1500, gid: 33 }],
    ['1500', { uid: 1500, gid: 1600 }],
    ['77', { uid: 77, gid: 0 }],
  ] as const)('are who the engine runs "%s" as, and read their files', async ([user, owner], context) => {
    const real = rig(context)
    const Image = await imageWith(real, tables)
    expect(await looking(real).owner(Image, user, call)).toEqual(owner)
    const services = [{ name: 'web', configFiles: [], secrets: [secretFile('/run/key', 'read')] }]
    const id = await serve(real, await heldFiles(real, services, { web: owner }), 'web', { Image, User: user })
    const said = await output(real, id, 'cat /run/key; stat -c " %a %u:%g" /run/key; echo $(id -u):$(id -g)')
    const numbers = `${owner.uid}:${owner.gid}`
    expect(said.text).toBe(`read 400 ${numbers}\n${numbers}\n`)
  })

  it('are looked up once per image, and nothing is left of the look', async (context) => {
    const real = rig(context)
    const image = await imageWith(real, tables)
    let created = 0
    const create: typeof real.docker.containers.create = (...args) => {
      created += 1
      return real.docker.containers.create(...args)
    }
    const docker = { ...real.docker, containers: { ...real.docker.containers, create } }
    const namePrefix = real.name('once')
    const users = looking({ ...real, docker }, namePrefix)
    const asked = ['app', 'app:www', '1500', '10:10', '', 'app'].map((user) => users.owner(image, user, call))
    await Promise.all(asked)
    await users.owner(image, 'app', call)
    expect(created).toBe(1)
    expect(await real.docker.containers.list({ all: true, filters: { name: [namePrefix] } }, call)).toEqual([])
  })

  it('are found where the tables are links, and where several processes look at the same time', async (context) => {
    const real = rig(context)
    const image = await imageWith(real, [
      { path: 'usr', folder: true },
      { path: 'usr/users', content: passwd },
      { path: 'etc/passwd', link: '../usr/link' },
      { path: 'usr/link', link: '/usr/users' },
    ])
    const namePrefix = real.name('many')
    const many = Array.from({ length: 4 }, () => looking(real, namePrefix).owner(image, 'app', call))
    expect(await Promise.all(many)).toEqual(Array(4).fill({ uid: 1500, gid: 1600 }))
    expect(await real.docker.containers.list({ all: true, filters: { name: [namePrefix] } }, call)).toEqual([])
  })

  it('are numbers alone where the image has no tables, and a fault that says so otherwise', async (context) => {
    const real = rig(context)
    const bare = await imageWith(real, [{ path: 'program', content: '' }], true)
    expect(await looking(real).owner(bare, '1000', call)).toEqual({ uid: 1000, gid: 0 })
    const unknown = looking(real).owner(bare, 'app', call)
    await expect(unknown).rejects.toMatchObject({
      reason: 'engine_rejected',
      message: expect.stringContaining('no user app'),
    })
  })

  it('are a fault where the table is a link that leads to itself', async (context) => {
    const real = rig(context)
    const link = Buffer.from(tar([{ path: 'passwd', link: 'passwd' }]))
    const getArchive = async () => Readable.from([link])
    const docker = { ...real.docker, containers: { ...real.docker.containers, getArchive } }
    const lost = looking({ ...real, docker }).owner((await imageWith(real, tables)) ?? '', 'app', call)
    await expect(lost).rejects.toMatchObject({ reason: 'engine_rejected', message: expect.stringContaining('circle') })
  })

  it('are looked up through what an attempt that died has left, and never through what is not ours', async (context) => {
    const real = rig(context)
    const image = await imageWith(real, tables)
    const namePrefix = real.name('left')
    const name = `${namePrefix}-${image.replace('sha256:', '').slice(0, 24)}`
    const { containers } = real.docker
    await containers.create(name, { Image: image, Cmd: ['x'], Labels: real.labels }, call)
    expect(await looking(real, namePrefix).owner(image, 'app', call)).toEqual({ uid: 1500, gid: 1600 })
    expect(await containers.inspect(name, call)).toBeUndefined()
    const foreign = await containers.create(name, { Image: image, Cmd: ['x'] }, call)
    const refused = looking(real, namePrefix).owner(image, 'app', call)
    await expect(refused).rejects.toMatchObject({ reason: 'foreign_object' })
    expect((await containers.inspect(name, call))?.Id).toBe(foreign.Id)
    await containers.remove(foreign.Id, { force: true, volumes: true }, call)
  })

  it('of an image that is not there are a fault', async (context) => {
    const real = rig(context)
    const lost = looking(real).owner(`sha256:${'0'.repeat(64)}`, 'app', call)
    await expect(lost).rejects.toMatchObject({ reason: 'engine_object_not_found' })
  })

  it('are told to who waits on where another one leaves in the middle of the look, and nothing is left behind', async (context) => {
    const real = rig(context)
    const image = await imageWith(real, tables)
    const leaving = new AbortController()
    const reason = new Error('left')
    const getArchive: typeof real.docker.containers.getArchive = (...args) => {
      leaving.abort(reason)
      return real.docker.containers.getArchive(...args)
    }
    const docker = { ...real.docker, containers: { ...real.docker.containers, getArchive } }
    const namePrefix = real.name('leaving')
    const users = looking({ ...real, docker }, namePrefix)
    const [left, stays] = [users.owner(image, 'app', leaving), users.owner(image, 'app', call)]
    await expect(left).rejects.toBe(reason)
    expect(await stays).toEqual({ uid: 1500, gid: 1600 })
    expect(await real.docker.containers.list({ all: true, filters: { name: [namePrefix] } }, call)).toEqual([])
  })
})
