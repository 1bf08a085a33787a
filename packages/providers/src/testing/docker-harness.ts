/** The Docker engine's test rig: one shared daemon, and for every case an installation and a line to the daemon of its own. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@gantry/core'
import type { Harness } from '../contract/harness.ts'
import type { TestProgram } from '../contract/program.ts'
import { testSecrets } from '../contract/secrets.ts'
import { type DockerEngine, dockerEngine } from '../docker/index.ts'
import { containerName } from '../docker/names.ts'
import type { DockerOptions } from '../docker/options.ts'
import type { Engine } from '../engine.ts'
import { engineLabel, label } from '../labels.ts'
import { leaveAtOnce } from '../leaving.ts'
import { memoryRecords } from '../memory-records.ts'
import type { Provider } from '../provider.ts'
import { providerFrom } from '../provider-from.ts'
import { busyboxFolder, busyboxPrograms } from './busybox-programs.ts'
import { cutSocket } from './cut-socket.ts'
import { clearDocker, clearImage } from './docker-clear.ts'
import type { DockerRig } from './docker-rig.ts'
import { placeStranger } from './docker-stranger.ts'
import { containersOf, dockerTruth, labelled } from './docker-truth.ts'
import { freePort } from './free-port.ts'
import { type RegistryFront, registryFront } from './registry-front.ts'

export type DockerHarness = Harness & {
  readonly engine: DockerEngine
  /** Another engine on the same daemon, as after a restart of the server. */
  reopen(more?: Partial<DockerOptions>): Promise<DockerEngine>
}

const clock = systemClock
const call = { signal: new AbortController().signal }

export async function dockerHarness(rig: DockerRig, more: Partial<DockerOptions> = {}): Promise<DockerHarness> {
  const { docker, address } = rig
  const id = randomUUID()
  const [installation, stranger] = [`installation-${id}`, `stranger-${id}`]
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-docker-')))
  const line = await cutSocket(address.socket)
  const open = (with_: Partial<DockerOptions> = {}): Promise<DockerEngine> => {
    const hostFolders = [base, busyboxFolder]
    const options = { installation, clock, leaving: leaveAtOnce, subnets: address.subnets, hostFolders }
    return dockerEngine({ ...options, endpoint: { socket: line.path }, ...more, ...with_ }, call)
  }
  const letGo = async (): Promise<void> => {
    await line.dispose()
    rmSync(base, { recursive: true, force: true })
  }
  const engine = await open().catch(async (error: unknown) => {
    await letGo()
    throw error
  })
  const opened: DockerEngine[] = [engine]
  const fronts: RegistryFront[] = []
  const images = new Set<string>()
  const secrets = testSecrets()
  const records = memoryRecords()
  const over = (behind: Engine, known = records): Provider =>
    providerFrom(behind, { name: 'under-test', installation, records: known, secrets, clock, ids: randomUUID })

  const replica = (engineId: string) =>
    containersOf(docker, labelled({ [label.installation]: installation, [engineLabel]: engineId }), call)

  /** Under a name of this case alone, and with a mark, so that two cases have no image in common. */
  const image = async (program: TestProgram, name: string): Promise<string> => {
    const reference = `${rig.registry}/${id}/${name}`
    const settings = { Entrypoint: busyboxPrograms.program(program), Labels: { 'gantry.test/case': id } }
    images.add(await rig.push(reference, settings))
    return reference
  }

  return {
    provider: over(engine),
    engine,
    installation,
    records,
    secrets,
    clock,
    over,
    settle: (work) => work,
    service: (program) => ({ image: address.image, command: busyboxPrograms.program(program) }),
    argv: busyboxPrograms.command,
    folder: busyboxFolder,
    workingDir: '/var',
    user: '1000:1000',
    freePort,
    missingImage: `${rig.registry}/nobody/has-this:1`,

    async hostFolder() {
      const path = join(base, 'host')
      mkdirSync(path, { recursive: true })
      return { path, write: async (name, text) => writeFileSync(join(path, name), text) }
    },

    image,

    async privateImage(program, login) {
      const front = await registryFront(rig.registry, login)
      fronts.push(front)
      return (await image(program, 'private:1')).replace(rig.registry, front.host)
    },

    truth: (ref) => dockerTruth(docker, installation, ref, call),

    async exists(id) {
      const found = await Promise.all([docker.containers.inspect(id, call), docker.volumes.inspect(id, call)])
      return found.some((each) => each !== undefined)
    },

    foreign: (ref) => placeStranger(rig, { name: containerName(ref, 0, 'web'), installation: stranger, ref }, call),

    async dial({ dial }) {
      if (!('host' in dial)) return false
      const answer = await fetch(`http://${dial.host}:${dial.port}/`).catch(() => undefined)
      return answer?.status === 200
    },

    cut: () => line.cut(),
    heal: () => line.heal(),

    async crash(engineId, service) {
      const found = (await replica(engineId)).find(({ Config }) => Config.Labels?.[label.service] === service)
      if (!found || found.State.Pid === 0) throw new Error(`${service} of ${engineId} does not run`)
      // Not by the daemon, which would take it for somebody's wish.
      process.kill(found.State.Pid, 'SIGKILL')
    },

    async vanish(engineId) {
      for (const { Id } of await replica(engineId)) {
        await docker.containers.remove(Id, { force: true, volumes: true }, call)
      }
    },

    async reopen(with_) {
      const next = await open(with_)
      opened.push(next)
      return next
    },

    async dispose() {
      await line.heal()
      for (const each of opened) await each.close()
      await Promise.all([installation, stranger].map((whose) => clearDocker(docker, whose, call)))
      for (const each of images) await clearImage(docker, each, call)
      await Promise.all(fronts.map((front) => front.close()))
      await letGo()
    },
  }
}
