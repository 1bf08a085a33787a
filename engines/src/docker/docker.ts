/** Docker Engine: Debian's, with its own containerd, on private sockets, folders, addresses and chains of rules. */
import { readFile } from 'node:fs/promises'
import type { Call } from '@gantry/core'
import type { EngineDefinition, RestartMode, Site } from '../engine.ts'
import { ask } from './ask.ts'
import { clearDocker } from './clear.ts'
import { startContainerd, startDockerd } from './daemons.ts'
import { limitData } from './data-limit.ts'
import { namesFor } from './footprint.ts'
import { buildImage, imageArchive } from './image.ts'
import { makeBridge, ranges } from './network.ts'
import { dockerSocket } from './places.ts'
import { probeDocker } from './probe.ts'
import { installDocker, installNewerDocker, layerOf, xtablesOf } from './programs.ts'
import { settingsFrom } from './settings.ts'

export type DockerAddress = {
  /** The path of the unix socket. */
  readonly socket: string
  readonly version: string
  /** The newest that the daemon speaks. */
  readonly apiVersion: string
  /** An image that is on the engine already: busybox, which sleeps unless told otherwise. */
  readonly image: string
  /** The files of that image, a tar archive: for making others of them with `buildImage`. */
  readonly layer: string
  /** 10.x.128.0/17: addresses for networks that are made with a subnet of their own. Nothing else uses them. */
  readonly subnets: string
}

/** `fast` is a daemon that is asked to end, and stops its containers first; `immediate` is one that is killed. */
const signalOf: Record<RestartMode, NodeJS.Signals> = { fast: 'SIGTERM', immediate: 'SIGKILL' }

/** The one of the machine's own suite. A private one takes the settings of `settings.ts`. */
export const docker: EngineDefinition<DockerAddress> = {
  name: 'docker',
  version: 'debian',
  // Whatever was in it is thrown away, and containers would each be given seconds to end.
  endSignals: ['SIGKILL'],
  probe: probeDocker,
  install: installDocker,
  clear: clearDocker,

  async start(site, call) {
    const settings = settingsFrom(site.settings)
    const xtables = await xtablesOf(site.programs, call)
    const footprint = await makeBridge(
      site.folder,
      { ...namesFor(site.folder), programs: site.programs, xtables },
      call,
    )
    if (settings.dataBytes !== undefined) await limitData(site, settings.dataBytes, call)
    let tellEnded: (how: string) => void = () => undefined
    const ended = new Promise<string>((resolve) => {
      tellEnded = resolve
    })
    let stopping = false
    const launch = async (call: Call) => {
      const daemon = await startDockerd(site, footprint, settings, call)
      void daemon.end.then((how) => stopping || tellEnded(how))
      return daemon
    }
    const containerd = await startContainerd(site, call)
    void containerd.end.then((how) => stopping || tellEnded(`lost its containerd, which ${how}`))
    let daemon = await launch(call)
    return {
      ended,
      address: await addressOf(site, footprint.subnet, call),
      async restart(mode, call) {
        stopping = true
        await daemon.stop(signalOf[mode], call)
        stopping = false
        daemon = await launch(call)
      },
      async stop(call) {
        stopping = true
        await daemon.stop('SIGKILL', call)
        await containerd.stop('SIGKILL', call)
      },
    }
  },
}

/** The newest that Debian has, for what an engine of today does otherwise; settings as above. */
export const newerDocker: EngineDefinition<DockerAddress> = {
  ...docker,
  name: 'docker-newer',
  version: 'forky',
  install: (call) => installNewerDocker('forky', call),
}

async function addressOf(site: Site, subnet: number, call: Call): Promise<DockerAddress> {
  const [socket, image, layer] = [dockerSocket(site.folder), 'gantry-test/busybox:1', layerOf(site.programs)]
  const built = buildImage(await readFile(layer), { Cmd: ['sleep', '1000000'] })
  await ask(socket, { method: 'POST', path: '/images/load?quiet=1', body: imageArchive(built, image) }, call)
  const found = JSON.parse(await ask(socket, { method: 'GET', path: '/version' }, call)) as {
    Version: string
    ApiVersion: string
  }
  const { named: subnets } = ranges(subnet)
  return { socket, version: found.Version, apiVersion: found.ApiVersion, image, layer, subnets }
}
