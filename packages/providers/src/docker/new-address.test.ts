import { expect, it } from 'vitest'
import { Watcher } from '../contract/watcher.ts'
import { label } from '../labels.ts'
import type { Endpoint, Observation } from '../observed.ts'
import { containersOf, labelled } from '../testing/docker-truth.ts'
import { onDocker } from '../testing/on-docker.ts'

const timeout = 240_000

/** Where the only replica can be dialled, as it was last told. */
function toldBy(seen: readonly Observation[]): Endpoint | undefined {
  const last = seen.at(-1)
  if (last?.type === 'snapshot') return last.instances[0]?.replicas[0]?.endpoints[0]
  return last?.type === 'changed' ? last.instance.replicas[0]?.endpoints[0] : undefined
}

const hostOf = (endpoint: Endpoint | undefined): string =>
  endpoint && 'host' in endpoint.dial ? endpoint.dial.host : ''

it('a replica whose address somebody took before it ran again is told to be at its new one', { timeout }, (context) =>
  onDocker(context, async ({ kit, harness, rig }) => {
    const { containers } = rig.docker
    const ports = [{ name: 'http', port: 8080 }]
    const { replicas } = await kit.provision({ services: [kit.service({ listens: 'http' }, { ports })] })
    const watcher = new Watcher(kit)
    const old = await kit.eventually('it is told where it is', async () => hostOf(toldBy(watcher.seen)) || undefined)
    const marks = { [label.installation]: harness.installation }
    const [own] = await containersOf(rig.docker, labelled(marks), kit.call)
    const [network = ''] = Object.keys(own?.NetworkSettings.Networks ?? {})
    const occupant = {
      Image: rig.address.image,
      Cmd: ['sleep', '1000'],
      Labels: marks,
      HostConfig: { NetworkMode: network },
      NetworkingConfig: { EndpointsConfig: { [network]: { IPAMConfig: { IPv4Address: old } } } },
    }
    const { Id } = await containers.create(`occupant-${kit.ref().uid}`, occupant, kit.call)
    const inspect = () => containers.inspect(own?.Id ?? '', kit.call)

    // The daemon waits longer before each start, so that sooner or later there is time to take the address.
    for (let isTaken = false; !isTaken; ) {
      const crashes = 1 + ((await inspect())?.RestartCount ?? 0)
      await harness.crash(replicas[0]?.engineId ?? '', 'web')
      await kit.eventually(`it runs again after crash ${crashes}`, async () => {
        isTaken ||= await containers.start(Id, kit.call).then(
          () => true,
          () => false,
        )
        const seen = await inspect()
        return seen !== undefined && seen.State.Pid > 0 && seen.RestartCount === crashes
      })
    }

    const now = (await inspect())?.NetworkSettings.Networks[network]?.IPAddress ?? ''
    expect(now).not.toBe(old)
    // Nobody looks in between: it is told because it has happened.
    await kit.eventually('it is told where it is now', async () => hostOf(toldBy(watcher.seen)) === now)
    const endpoint = toldBy(watcher.seen)
    await kit.eventually('it answers there', async () => endpoint && (await harness.dial(endpoint)))
    await containers.remove(Id, { force: true, volumes: true }, kit.call)
    await watcher.leave()
  }),
)
