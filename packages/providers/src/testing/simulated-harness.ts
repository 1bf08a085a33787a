/** The simulated engine's test rig: the whole contract in virtual time. */
import { type Clock, milliUnits, parseQuantity, wholeUnits } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import type { Harness, Truth } from '../contract/harness.ts'
import { testSecrets } from '../contract/secrets.ts'
import type { DesiredService } from '../desired.ts'
import type { Engine } from '../engine.ts'
import { labelsOf } from '../labels.ts'
import { memoryRecords } from '../memory-records.ts'
import type { Provider } from '../provider.ts'
import { providerFrom } from '../provider-from.ts'
import type { InstanceRecords } from '../records.ts'
import type { Ref } from '../ref.ts'
import { answersOn } from '../simulated/commands.ts'
import { crashService } from '../simulated/crash.ts'
import { simulatedEngine } from '../simulated/index.ts'
import { commandArgv, programArgv } from '../simulated/programs.ts'
import { volumesKey } from '../simulated/volumes.ts'
import { instanceName, SimulatedWorld } from '../simulated/world.ts'

export type SimulatedHarnessOptions = {
  /** Put around the engine; the truth stays what it is. */
  readonly wrapEngine?: (engine: Engine, clock: Clock) => Engine
  readonly wrapProvider?: (provider: Provider) => Provider
  /** Left out: virtual time. With a real clock every wait is a wait, as it is on a real engine. */
  readonly clock?: Clock
}

const installation = 'installation-under-test'
const missingImage = 'nowhere.invalid/none:1'

export async function simulatedHarness(options: SimulatedHarnessOptions = {}): Promise<Harness> {
  const { wrapEngine = (engine) => engine, wrapProvider = (provider) => provider } = options
  const clock = options.clock ?? new VirtualClock()
  const world = new SimulatedWorld(clock)
  world.missingImages.add(missingImage)
  const engine = wrapEngine(simulatedEngine(world, installation), clock)
  const secrets = testSecrets()
  const records = memoryRecords()
  let id = 0
  const ids = (): string => {
    id += 1
    return `id-${id}`
  }
  const over = (behind: Engine, known: InstanceRecords = records): Provider =>
    wrapProvider(providerFrom(behind, { name: 'under-test', installation, records: known, secrets, clock, ids }))

  return {
    provider: over(engine),
    engine,
    installation,
    records,
    secrets,
    clock,
    over,
    user: '1000:1000',
    workingDir: '/srv/app',
    missingImage,

    async settle(work) {
      if (!(clock instanceof VirtualClock)) return await work
      let over = false
      const finished = work.finally(() => {
        over = true
      })
      finished.catch(() => undefined)
      await clock.until(() => over)
      return await finished
    },

    service: (program) => ({ image: 'simulated/base:1', command: programArgv(program) }),
    argv: commandArgv,

    freePort: async () => 18_473,

    async hostFolder() {
      return { path: '/srv/shared', write: async (name, text) => void world.host.set(`/srv/shared/${name}`, text) }
    },

    async image(program, name) {
      world.images.set(name, program)
      return name
    },

    async privateImage(program, login) {
      world.images.set('private.invalid/app:1', program)
      world.privateImages.set('private.invalid/app:1', login)
      return 'private.invalid/app:1'
    },

    truth: async (ref) => truthOf(world, ref),

    async exists(id) {
      const volumes = [...world.volumes.values()].flatMap((own) => [...own.values()])
      return [...world.instances.values(), ...world.replicas.values(), ...volumes].some((each) => each.id === id)
    },

    foreign: async (ref) => world.createInstance(ref, 'someone-else').id,

    async dial({ dial }) {
      if (!('host' in dial)) return false
      const place = dial.host.replace('.simulated', '')
      const replica = world.replicas.get(place)
      const instance = world.instances.get(place)
      const replicas = replica ? [replica] : [...(instance?.replicas.values() ?? world.replicas.values())]
      const processes = replicas.flatMap(({ services }) => [...services.values()])
      return processes.some((each) => answersOn(world, each, behindHostPort(each.spec, dial.port)))
    },

    cut: async () => world.cut(),
    heal: async () => world.heal(),

    crash: async (engineId, service) => crashService(world, engineId, service, 137),

    async vanish(engineId) {
      const replica = world.replicas.get(engineId)
      if (replica) world.forgetReplica(replica)
    },

    async dispose() {
      world.heal()
    },
  }
}

function truthOf(world: SimulatedWorld, ref: Ref): Truth {
  const instance = world.instances.get(instanceName(ref))
  const ours = instance?.installation === installation ? instance : undefined
  const replicas = [...(ours?.replicas.values() ?? [])]
  const volumes = [...(world.volumes.get(volumesKey({ installation, ref }))?.values() ?? [])]
  return {
    objects: [
      ...(ours ? [{ id: ours.id, kind: 'instance', labels: ours.labels }] : []),
      ...replicas.flatMap(({ id, index, desired, services }) => [
        { id, kind: 'replica', labels: labelsOf(desired, { replica: index }) },
        ...[...services.values()].map((process) => ({
          id: process.id,
          kind: 'process',
          labels: labelsOf(desired, { replica: index, service: process.spec }),
        })),
      ]),
      ...volumes.map(({ id, labels }) => ({ id, kind: 'volume', labels })),
    ],
    services: replicas.flatMap(({ index, services }) =>
      [...services.values()].map(({ id, spec, startedAt = 0, phase, restarts, commands }) => ({
        replica: index,
        service: spec.name,
        processId: `${id}.${restarts}`,
        running: phase === 'running' || phase === 'starting',
        startedAt,
        commands: commands.size,
        limits: limitsOf(spec),
        requests: requestsOf(spec),
      })),
    ),
    volumes: volumes.map(({ id, name, index }) => ({ id, name, replica: index })),
  }
}

/** A port of the machine leads to the port of the service that holds it. */
function behindHostPort({ ports }: DesiredService, number: number): number {
  return ports.find(({ hostPort }) => hostPort === number)?.port ?? number
}

const bytes = (amount: string): number => Number(wholeUnits(parseQuantity(amount)))
const millis = (amount: string): number => Number(milliUnits(parseQuantity(amount)))

/** Left out: the limits. */
function requestsOf({ resources, requests }: DesiredService) {
  const [cpu, memory] = [requests.cpu ?? resources.cpu, requests.memory ?? resources.memory]
  return {
    ...(cpu === undefined ? {} : { cpuMillis: millis(cpu) }),
    ...(memory === undefined ? {} : { memoryBytes: bytes(memory) }),
  }
}

function limitsOf({ resources: { cpu, memory, disk, gpu, pids, bestEffort } }: DesiredService) {
  return {
    ...(cpu === undefined ? {} : { cpuMillis: millis(cpu) }),
    ...(memory === undefined ? {} : { memoryBytes: bytes(memory) }),
    ...(disk === undefined ? {} : { diskBytes: bytes(disk) }),
    ...(gpu.count > 0 ? { gpus: gpu.count } : {}),
    ...(pids === undefined || bestEffort ? {} : { pids }),
  }
}
