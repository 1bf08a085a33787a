/** All that an engine begins with: what the daemon can do, and what of ours is on it. */
import type { Call } from '@gantry/core'
import type { Desired } from '../desired.ts'
import { label } from '../labels.ts'
import { linesOf } from '../log-text.ts'
import { quotable } from '../masked.ts'
import type { DockerApi } from './api/api.ts'
import { imageUsers } from './files/image-users.ts'
import { dockerImages } from './images/docker-images.ts'
import type { Images } from './images/images.ts'
import { type Machine, machineOf } from './machine.ts'
import { TenantNetworks } from './networks.ts'
import type { DockerOptions } from './options.ts'
import { Builder } from './site/builder.ts'
import type { ReplicaParts } from './site/live-replica.ts'
import type { ContainerSeen } from './site/seen.ts'
import { Site } from './site/site.ts'
import { sweeping } from './site/sweeping.ts'
import { containerExec } from './streams/exec.ts'
import { containerLogs } from './streams/logs.ts'
import { seesProcesses } from './streams/sees-processes.ts'
import { usualSubnets } from './subnets.ts'
import { Volumes } from './volumes.ts'

export type OpenedSite = {
  readonly site: Site
  readonly machine: Machine
  readonly images: Images
  readonly networks: TenantNetworks
  readonly volumes: Volumes
  /** A command whose caller leaves can be killed for certain. */
  readonly killsCommands: boolean
}

/** `life` ends with the engine, also where it cannot be opened: nobody is left then who could end it. */
export async function openSite(
  options: DockerOptions,
  api: DockerApi,
  life: AbortController,
  call: Call,
): Promise<OpenedSite> {
  const { installation, clock, random = Math.random, subnets = usualSubnets, hostFolders = [], dockerConfig } = options
  const info = await api.system.info(call)
  const machine = machineOf(info, hostFolders)
  const images = dockerImages({ api, clock, changed, ...(dockerConfig === undefined ? {} : { dockerConfig }) })
  const networks = new TenantNetworks({ api, installation, subnets, clock, random, life, doubt })
  const volumes = new Volumes(api, installation, () => clock.now())
  const labels = { [label.installation]: installation }
  const users = imageUsers(api, { namePrefix: `gantry-users-${installation.slice(-12)}`, labels })
  const builder = new Builder({ api, installation, machine, images, networks, volumes, users })
  const { enforces } = machine
  const exec: ReplicaParts['exec'] = (id, request, within) => containerExec(api, id, request, within, { clock })
  const replica = { api, builder, installation, enforces, clock, random, life, exec, lastLine }
  const isThere = (engineId: string): boolean => site.replicas.has(engineId)
  const { sweep } = sweeping({ clock, life, doubt, sweep: (within) => volumes.sweep(isThere, within) })
  const site: Site = new Site({ api, installation, clock, life, replica, sweep })
  try {
    await site.open(call)
    await networks.releaseUnused((tenant) => site.has(tenant), call)
  } catch (error) {
    life.abort(error)
    await site.close()
    throw error
  }
  return { site, machine, images, networks, volumes, killsCommands: seesProcesses(info) }

  function changed(owner: string): void {
    site.replicas.get(owner)?.imagesChanged(images.waiting(owner))
  }

  function doubt(error: unknown): void {
    site.doubt(error)
  }

  async function lastLine({ id, tty }: ContainerSeen, desired: Desired | undefined): Promise<string | undefined> {
    // Without its secrets nobody knows what must not be quoted.
    if (!desired) return undefined
    let last: string | undefined
    for await (const entry of containerLogs(api, id, { tty }, { tail: 1, follow: false }, life)) {
      if (entry.type === 'lines') last = linesOf(entry.text).at(-1)
    }
    return last === undefined ? undefined : quotable(last, desired)
  }
}
