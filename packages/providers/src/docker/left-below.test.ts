import { mkdir, rm } from 'node:fs/promises'
import { Fault } from '@gantry/core'
import { taskFolder } from '@gantry/engines'
import { afterEach, describe, expect, it } from 'vitest'
import type { Kit, SpecInput } from '../contract/kit.ts'
import { label } from '../labels.ts'
import { overlay } from '../overlay.ts'
import { membersOf } from '../proc/groups.ts'
import { dockerRig } from '../testing/docker-rig.ts'
import { onDocker, onRig } from '../testing/on-docker.ts'
import { type PrivateRig, privateRig } from '../testing/private-rig.ts'
import type { DockerApi } from './api/api.ts'
import { faultOf } from './api/faults.ts'
import { endOrphans } from './site/orphans.ts'
import { Volumes } from './volumes.ts'

const call = { signal: AbortSignal.timeout(600_000) }
const timeout = 300_000

/** What containerd has of a container when the daemon dies in the middle of its start, so that its id is taken. */
function claiming({ docker, address }: PrivateRig, isClaimed: (what: string, times: number) => boolean) {
  const made = new Map<string, string[]>()
  const create: DockerApi['containers']['create'] = async (name, settings, within) => {
    const created = await docker.containers.create(name, settings, within)
    const what = settings.Labels?.[label.service] ?? 'holder'
    made.set(what, [...(made.get(what) ?? []), created.Id])
    if (isClaimed(what, made.get(what)?.length ?? 0)) {
      await mkdir(taskFolder(address, created.Id), { recursive: true })
    }
    return created
  }
  return { made, api: overlay(docker, { containers: overlay(docker.containers, { create }) }) }
}

/** As a daemon of 28.5 said it that was killed in the middle of a start; it could not be made to say so again. */
const placeTaken = (name: string): string =>
  `failed to set up container networking: endpoint with name ${name} already exists in network n`

/** Every name is taken in the network, until that is freed. */
function placesTaken(docker: DockerApi) {
  const names = new Map<string, string>()
  const freed = new Set<string>()
  const create: DockerApi['containers']['create'] = async (name, settings, within) => {
    const made = await docker.containers.create(name, settings, within)
    names.set(made.Id, name)
    return made
  }
  const start: DockerApi['containers']['start'] = async (id, within) => {
    const name = names.get(id) ?? ''
    const body = JSON.stringify({ message: placeTaken(name) })
    if (!freed.has(name)) throw faultOf({ method: 'POST', path: '', status: 403, body })
    await docker.containers.start(id, within)
  }
  const disconnect: DockerApi['networks']['disconnect'] = async (network, name, within) => {
    freed.add(name)
    await docker.networks.disconnect(network, name, within)
  }
  const containers = overlay(docker.containers, { create, start })
  return { freed, api: overlay(docker, { containers, networks: overlay(docker.networks, { disconnect }) }) }
}

/** With a file, so that it has a holder, which is made and started first. */
const group = (kit: Kit): SpecInput => ({
  services: [
    kit.service({}, { configFiles: [{ name: 'f', path: kit.path('f'), content: 'kept' }] }),
    kit.service({}, { name: 'helper', role: 'sidecar' }),
  ],
})

describe('what a daemon that died in the middle of a start has left below it', { timeout }, () => {
  let rig: PrivateRig | { readonly missing: string } | undefined
  afterEach(async () => {
    if (rig && 'engine' in rig) await rig.engine.stop(call)
    rig = undefined
  })

  it('is no reason for anybody to wait: containers are made anew, in a group and alone', async ({ skip }) => {
    rig = await privateRig({})
    if ('missing' in rig) return skip(rig.missing)
    const { docker } = rig
    const { made, api } = claiming(rig, (_, times) => times === 1)
    await onRig(
      rig,
      async ({ kit }) => {
        await kit.provision(group(kit), kit.ref('group'))
        expect(await kit.status(kit.ref('group'))).toMatchObject({ state: 'running', ready: true })
        expect(await kit.read(kit.path('f'), {}, kit.ref('group'))).toBe('kept')
        expect([...made].map(([what, ids]) => [what, ids.length]).sort()).toEqual([
          ['helper', 2],
          ['holder', 2],
          ['web', 2],
        ])
        made.clear()
        await kit.provision({}, kit.ref('alone'))
        expect(await kit.status(kit.ref('alone'))).toMatchObject({ state: 'running', ready: true })
        const [first, second, ...more] = made.get('web') ?? []
        expect(await docker.containers.inspect(first ?? '', call)).toBeUndefined()
        expect(await docker.containers.inspect(second ?? '', call)).toMatchObject({ State: { Running: true } })
        expect(more).toEqual([])
      },
      { api },
    )
  })

  it('is no place in the network that is kept from others: it is freed', async ({ skip }) => {
    const rig = await dockerRig()
    if ('missing' in rig) return skip(rig.missing)
    const { docker } = rig
    const { freed, api } = placesTaken(docker)
    await onRig(
      rig,
      async ({ kit }) => {
        await kit.provision(group(kit))
        expect(await kit.status()).toMatchObject({ state: 'running', ready: true })
        expect(freed.size).toBe(3)
      },
      { api },
    )
  })

  it('is told where whatever is made is refused as well, and nothing is made for ever', async ({ skip }) => {
    rig = await privateRig({})
    if ('missing' in rig) return skip(rig.missing)
    const { made, api } = claiming(rig, (what) => what === 'helper')
    await onRig(
      rig,
      async ({ kit }) => {
        const fault = await kit.provision(group(kit)).catch((error: unknown) => error)
        expect(fault).toBeInstanceOf(Fault)
        expect((fault as Fault).message).toMatch(/helper: .*exists/)
        expect(made.get('helper')?.length).toBe(3)
      },
      { api },
    )
  })
})

describe('a volume that the daemon cannot remove', { timeout }, () => {
  const Name = 'files'
  const DriverOpts = { type: 'tmpfs', device: 'tmpfs' }

  it('keeps nobody where it died in the middle of removing it', async ({ skip }) => {
    const rig = await privateRig({})
    if ('missing' in rig) return skip(rig.missing)
    try {
      const { docker } = rig
      const { Mountpoint } = await docker.volumes.create({ Name, Driver: 'local', DriverOpts }, call)
      await rm(Mountpoint, { recursive: true })
      await expect(docker.volumes.remove(Name, call)).rejects.toThrow(/no such file or directory/)
      await new Volumes(docker, 'here', Date.now).remove(Name, call)
    } finally {
      await rig.engine.stop(call)
    }
  })

  it('keeps nobody where it has lost count of who has it, and stays where somebody has', (context) =>
    onDocker(context, async ({ rig: { docker, address } }) => {
      const lost = new Fault('engine_refused', `Docker refused: remove ${Name}: volume has active mounts`)
      const remove = async (): Promise<void> => {
        throw lost
      }
      const volumes = new Volumes(overlay(docker, { volumes: overlay(docker.volumes, { remove }) }), 'here', Date.now)
      const name = `counted-${process.pid}`
      await docker.volumes.create({ Name: name, Driver: 'local', DriverOpts }, call)
      await volumes.remove(name, call)
      const Mounts = [{ Type: 'volume', Source: name, Target: '/v' }] as const
      const { Id } = await docker.containers.create(name, { Image: address.image, HostConfig: { Mounts } }, call)
      await expect(volumes.remove(name, call)).rejects.toBe(lost)
      await docker.containers.remove(Id, { force: true, volumes: true }, call)
      await docker.volumes.remove(name, call)
    }))
})

describe('what still runs of a container', { timeout }, () => {
  it('is ended, and nothing of another', (context) =>
    onDocker(context, async ({ kit, rig: { docker } }) => {
      await kit.provision({ replicas: 2, restart: { policy: 'never' } })
      const ids = (await kit.processes()).map(({ processId }) => processId.split(' ', 1)[0] ?? '')
      const running = () => ids.map((id) => membersOf(id).length > 0)
      expect(running()).toEqual([true, true])
      await endOrphans(ids[0] ?? '')
      expect(running()).toEqual([false, true])
      expect(await docker.containers.inspect(ids[1] ?? '', call)).toMatchObject({ State: { Running: true } })
    }))
})
