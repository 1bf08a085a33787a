/** Containers on a Docker Engine of its own, on which there is nothing else. */
import { existsSync } from 'node:fs'
import { containerProcesses, daemonPid, type PrivateEngine, startPrivate } from '@gantry/engines'
import { label } from '@gantry/providers'
import { connectDocker, type DockerApi } from '@gantry/providers/docker'
import { type DockerName, testedDocker } from '@gantry/providers/testing'
import type { Belonging, Ground, OpenGround, Running } from '../../harness/ground.ts'
import { edgePart, supervised } from '../../harness/looking.ts'
import { until } from '../../whole/testing/until.ts'
import { dockerWeb, putDocker } from '../zero-failed/docker-system.ts'
import { loadNodeImage } from '../zero-failed/node-image.ts'

const call = () => ({ signal: AbortSignal.timeout(30_000) })
const patientCall = () => ({ signal: AbortSignal.timeout(300_000) })

export const openDockerGround: OpenGround = async (installation) => {
  const { system, supervisor } = await installation
  const engine = await startPrivate(testedDocker, patientCall())
  try {
    await loadNodeImage(engine.address, patientCall())
    await putDocker(system.client, engine.address)
    const docker = await connectDocker({ socket: engine.address.socket }, patientCall())
    return groundOn(engine, docker, () => supervised(supervisor))
  } catch (error) {
    await engine.stop(patientCall())
    throw error
  }
}

function groundOn(
  engine: PrivateEngine<DockerName>,
  docker: DockerApi,
  edge: () => Promise<ReadonlyMap<string, Running>>,
): Ground {
  return {
    // A daemon that was killed takes its time until it answers again.
    patienceMs: 180_000,
    web: dockerWeb,
    // It has files, so that another container holds its network and them.
    partsOf: (engineId) => [`${engineId}.web`, `${engineId}.holder`],

    async running() {
      const all = await docker.containers.list({ all: true }, call())
      const found = await Promise.all(all.map(({ Id }) => docker.containers.inspect(Id, call())))
      const containers = found.flatMap((one) => {
        if (!one) return []
        const { [engineLabel]: engineId, [label.service]: service, [label.role]: role } = one.Config.Labels ?? {}
        const part = engineId === undefined ? `container ${one.Name}` : `${engineId}.${service ?? role}`
        const run = `container ${one.Id.slice(0, 12)} of ${one.State.StartedAt}`
        return [[part, { phase: one.State.Status, run, restarts: one.RestartCount }] as const]
      })
      return new Map([...(await edge()), ...containers])
    },

    async strays(known) {
      return [...(await strays(docker, known)), ...(await orphans(docker, await containerProcesses(engine.address)))]
    },

    async settle() {
      const ofReplicas = async () =>
        (await docker.volumes.list({ label: [engineLabel] }, call())).map(({ Name }) => Name)
      // What stays all the same is told when it is closed.
      await until('volumes of replicas to go', ofReplicas, (left) => left.length === 0, {
        withinMs: 2 * passingMs,
      }).catch(() => undefined)
    },

    async aimAt(victim) {
      if (victim !== 'daemon') throw new Error(`there is no ${victim} here`)
      // Killed by its keeper, who else would take it for a failure; until then it does nothing more.
      return { pid: await daemonPid(engine.address), signal: 'SIGSTOP' }
    },
    endsWith: (victim, part) => (victim === 'edge' ? part === edgePart : victim === 'daemon' && part !== edgePart),
    async revive(victim) {
      if (victim === 'daemon') await engine.restart('immediate', patientCall())
    },

    async close(isSound) {
      try {
        return isSound ? await leftOn(docker) : []
      } finally {
        docker.close()
        await engine.stop(patientCall())
      }
    },
  }
}

/** On everything of a replica. */
const engineLabel = 'gantry.dev/engine-id'

/**
 * A volume of a replica that died before it had a container is kept for a while, since somebody else might be making its
 * container. It is not waited for at every death: one that stays is found by all later looks, and by the last.
 */
const passingMs = 60_000

async function strays(docker: DockerApi, { engineIds, uid }: Belonging): Promise<readonly string[]> {
  const networks = await ownNetworks(docker)
  const now = Date.now()
  const volumes = (await removableVolumes(docker)).filter(({ Labels, CreatedAt = '' }) => {
    const { [engineLabel]: engineId, [label.uid]: owner } = Labels ?? {}
    if (engineId === undefined) return uid === undefined || owner !== uid
    return !engineIds.includes(engineId) && !(now - Date.parse(CreatedAt) < passingMs)
  })
  return [
    // The tenant's stays for a while when its last workload goes, and is looked for at the end.
    ...networks.slice(1).map((name) => `there is a second network: ${name}`),
    ...volumes.map(({ Name, CreatedAt }) => `the volume ${Name} of ${CreatedAt} is of nothing that is there`),
  ]
}

/** What runs though the daemon does not know of it: left of a start that it died in. */
async function orphans(
  docker: DockerApi,
  processes: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<readonly string[]> {
  const running = await docker.containers.list({ all: false }, call())
  const known = new Set(running.map(({ Id }) => Id))
  const left = [...processes].filter(([container]) => !known.has(container))
  return left.map(([container, pids]) => `process ${[...pids].join()} runs in ${container}, which does not`)
}

/** All that the server must have taken away by the time it has ended in order. */
async function leftOn(docker: DockerApi): Promise<readonly string[]> {
  const containers = await docker.containers.list({ all: true }, call())
  const volumes = await removableVolumes(docker)
  return [
    ...containers.map(({ Names }) => `container ${Names.join()}`),
    ...volumes.map(({ Name }) => `volume ${Name}`),
    ...(await ownNetworks(docker)).map((name) => `network ${name}`),
  ]
}

/**
 * Without those that the daemon died in the middle of removing: the folder is gone, and for want of it the daemon refuses to
 * remove the rest, whoever asks.
 */
async function removableVolumes(docker: DockerApi): Promise<Awaited<ReturnType<DockerApi['volumes']['list']>>> {
  return (await docker.volumes.list({}, call())).filter(({ Mountpoint }) => existsSync(Mountpoint))
}

/** Without those that every daemon has. */
async function ownNetworks(docker: DockerApi): Promise<readonly string[]> {
  const names = (await docker.networks.list({}, call())).map(({ Name }) => Name)
  return names.filter((name) => !['bridge', 'host', 'none'].includes(name))
}
