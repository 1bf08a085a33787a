/** Kubernetes: every part of it, built from its sources, on one node, in a network of its own on this machine. */
import { mkdir } from 'node:fs/promises'
import type { Call } from '@gantry/core'
import { layerOf } from '../docker/programs.ts'
import type { EngineDefinition } from '../engine.ts'
import { apiUrl, machinePorts, nodeName } from './addresses.ts'
import { etcdUrl } from './arguments.ts'
import { kubernetesVersion } from './build.ts'
import { clearCluster } from './clear.ts'
import { startCluster } from './cluster.ts'
import { pauseImage, testImage } from './configuration.ts'
import { writeConfigurations, writeCredentials } from './files.ts'
import { linkFor, writeFootprint } from './footprint.ts'
import { help } from './helpers.ts'
import { openInside } from './inside.ts'
import { openNames } from './names/server.ts'
import { makeLink } from './network.ts'
import { storageClass } from './objects.ts'
import * as places from './places.ts'
import { probeCluster } from './probe.ts'
import { debianOf, installCluster } from './programs.ts'
import { openRegistries } from './registries.ts'
import { featureGates, settingsFrom } from './settings.ts'
import { provideStorage } from './storage.ts'
import { allowWatchers } from './watchers.ts'

export type KubernetesAddress = {
  /** `https://10.x.0.2:6443` */
  readonly server: string
  /** A file with three contexts: `admin` by certificate (the current one), `admin-token`, and `limited`, who may do nothing. */
  readonly kubeconfig: string
  /** The certificate that signs the server's, as text. */
  readonly ca: string
  /** Of a user who may do everything. */
  readonly token: string
  /** Of a user who may do nothing, for tests to give rights to; called `limited`. */
  readonly limitedToken: string
  /** Images that are on the node already: busybox, which sleeps unless told otherwise, and one that only sleeps. */
  readonly image: string
  readonly pauseImage: string
  /** The files of the first, a tar archive: for making others of them with `buildImage`. */
  readonly layer: string
  readonly version: string
  /** Both are reached from this machine. */
  readonly podRange: string
  readonly serviceRange: string
  readonly nodeName: string
  /** Where ports of the node are reached from this machine. */
  readonly nodeAddress: string
  /** The default one. */
  readonly storageClass: string
  /** Plain HTTP, without any credentials. */
  readonly etcd: string
  /** Where the cluster has its files; its logs are there, one for each part. */
  readonly folder: string
}

/** Raised when a cluster is arranged otherwise: whoever still has the one before is left alone with it. */
const arrangement = 5

/** A private one takes the settings of `settings.ts`. */
export const kubernetes: EngineDefinition<KubernetesAddress> = {
  name: 'kubernetes',
  version: `${kubernetesVersion}-${arrangement}`,
  // Whatever was in it is thrown away.
  endSignals: ['SIGKILL'],
  probe: probeCluster,
  install: installCluster,
  clear: clearCluster,

  async start(site, call) {
    const { folder, programs } = site
    const settings = settingsFrom(site.settings)
    const gates = featureGates(settings)
    const manner = { gates, nodeGraceSeconds: settings.nodeGraceSeconds, metrics: settings.metrics }
    let tellEnded: (how: string) => void = () => undefined
    const ended = new Promise<string>((resolve) => {
      tellEnded = resolve
    })
    const footprint = { link: linkFor(folder), programs: debianOf(programs) }
    await writeFootprint(folder, footprint)
    const watchers = await allowWatchers()
    if (watchers !== undefined) console.log(watchers)
    const inside = await openInside(site, call)
    void inside.end.then((how) => tellEnded(`lost its network, whose holder ${how}`))
    const addresses = await makeLink(footprint, inside, call)
    await mkdir(places.volumes(folder))
    const credentials = await writeCredentials(site, addresses, call)
    await writeConfigurations(site, addresses, gates, call)
    const registries = await openRegistries(addresses.machine, machinePorts.registries)
    const names = await openNames(addresses.machine, machinePorts.names)
    const cluster = await startCluster(
      { site, inside, addresses, manner, access: credentials.own, onFailure: tellEnded },
      call,
    )
    const helpers = new AbortController()
    const storage = { name: 'storage', work: (call: Call) => provideStorage(folder, credentials.own, call) }
    const learning = { name: 'names', work: (call: Call) => names.learn(credentials.own, call) }
    const helped = Promise.all([storage, learning].map((one) => help(one, console.log, helpers)))
    return {
      ended,
      address: {
        server: apiUrl(addresses),
        kubeconfig: credentials.kubeconfig,
        ca: credentials.ca,
        token: credentials.tokens['admin-token'],
        limitedToken: credentials.tokens.limited,
        image: testImage,
        pauseImage,
        layer: layerOf(debianOf(programs)),
        version: kubernetesVersion,
        podRange: addresses.pods,
        serviceRange: addresses.services,
        nodeName,
        nodeAddress: addresses.node,
        storageClass,
        etcd: etcdUrl(addresses),
        folder,
      },
      restart: cluster.restart,
      async stop(call) {
        helpers.abort()
        await helped
        names.close()
        registries.close()
        registries.closeAllConnections()
        await cluster.stop(call)
        inside.stop()
        await inside.end
      },
    }
  },
}
