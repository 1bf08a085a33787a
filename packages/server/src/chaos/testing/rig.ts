/** The real controllers on a real store and a simulated engine in virtual time, with everything that can be broken in reach. */
import { type Call, type Fault, type GantryObject, kinds, type ObjectKey } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { SimulatedWorld, simulatedEngine } from '@gantry/providers/testing'
import { openStore, type Store, systemScope } from '@gantry/store'
import { ageFieldsOf } from '../../controllers/age-fields.ts'
import { startControllers } from '../../controllers/start.ts'
import { openHub } from '../../engines/open-hub.ts'
import { memoryKeys } from '../../vault/memory-keys.ts'
import { openVault } from '../../vault/open-vault.ts'
import { type Busy, Life, mortalEngine, mortalStore } from './mortal.ts'
import { type Random, randomFrom } from './random.ts'
import { Line, unsteady } from './unsteady-engine.ts'

const scope = systemScope()
const never: Call = { signal: new AbortController().signal }
const installation = 'chaos'
export const tenant = 'shop'

/** One life of the server. */
type Server = { readonly life: Life; readonly stop: Promise<() => Promise<void>> }

export class Rig {
  readonly clock: VirtualClock
  readonly store: Store
  readonly world: SimulatedWorld
  readonly line = new Line()
  readonly random: Random
  readonly troubles: Fault[] = []
  readonly #busy: Busy
  readonly #keys = memoryKeys()
  #server: Server | undefined
  readonly #ended: Promise<unknown>[] = []

  static async open(seed: number): Promise<Rig> {
    const busy: Busy = { running: 0, calls: 0 }
    const clock = new VirtualClock(Date.UTC(2026, 0, 1), () => quiet(busy))
    let id = 0
    const ids = (): string => {
      id += 1
      return `uid-${id}`
    }
    const store = await openStore({ database: 'sqlite::memory:', clock, ids, ageFields: ageFieldsOf }, never)
    return new Rig(seed, clock, store, busy)
  }

  private constructor(seed: number, clock: VirtualClock, store: Store, busy: Busy) {
    this.clock = clock
    this.store = store
    this.#busy = busy
    this.random = randomFrom(seed ^ 0x5eed)
    this.world = new SimulatedWorld(clock)
  }

  get isUp(): boolean {
    return this.#server !== undefined
  }

  boot(): void {
    if (this.#server) return
    const life = new Life()
    this.#server = { life, stop: this.#start(life) }
  }

  async #start(life: Life): Promise<() => Promise<void>> {
    const { clock } = this
    const store = mortalStore(this.store, life, this.#busy)
    const vault = await openVault({ store, scope, keys: this.#keys, clock }, never)
    const engine = unsteady(
      mortalEngine(simulatedEngine(this.world, installation), life),
      this.line,
      clock,
      this.random,
    )
    const hub = openHub(clock)
    const options = {
      store,
      scope,
      clock,
      vault,
      installation,
      hub,
      random: () => this.random.next(),
      events: { record: () => undefined },
      onTrouble: (fault: Fault) => void this.troubles.push(fault),
      factories: { simulated: async () => ({ engine }) },
      shared: false,
    }
    const controllers = await startControllers(options, never)
    return async () => {
      await controllers.stop(never)
      await hub.close(never)
    }
  }

  /** Nobody is told, nothing is finished. */
  kill(): void {
    const server = this.#server
    if (!server) return
    server.life.isOver = true
    this.#server = undefined
    // What is left of it is swept up in the background; it can do nothing any more.
    this.#ended.push(server.stop.then((stop) => stop()))
  }

  async write(kind: 'Workload' | 'Provider' | 'Tenant', name: string, spec: unknown): Promise<void> {
    const key = keyOf(kind, name)
    const metadata = key.tenant === undefined ? { name } : { name, tenant: key.tenant }
    const parsed = kinds[kind].parse({ apiVersion: 'gantry/v1', kind, metadata, spec })
    await this.store.write(scope, [{ op: 'replace', draft: { key, spec: parsed.spec }, ifAbsent: 'create' }], {}, never)
  }

  async remove(kind: string, name: string): Promise<void> {
    await this.store.write(scope, [{ op: 'delete', key: keyOf(kind, name) }], {}, never)
  }

  read(kind: string, name: string): Promise<GantryObject | undefined> {
    return this.store.read(scope, keyOf(kind, name), never)
  }

  async list(kind: string): Promise<readonly GantryObject[]> {
    return (await this.store.list(scope, { kind, limit: 1000 }, never)).items
  }

  /** Settles in virtual time. */
  async settled<T>(work: Promise<T>): Promise<T> {
    let isOver = false
    const finished = work.finally(() => {
      isOver = true
    })
    finished.catch(() => undefined)
    await this.clock.until(() => isOver)
    return await finished
  }

  async close(): Promise<void> {
    this.line.unhang()
    this.world.heal()
    const server = this.#server
    this.#server = undefined
    if (server) this.#ended.push(server.stop.then((stop) => stop()))
    await this.settled(Promise.all(this.#ended))
    await this.store.close()
  }
}

const systemKinds: ReadonlySet<string> = new Set(['Provider', 'Tenant'])

function keyOf(kind: string, name: string): ObjectKey {
  return systemKinds.has(kind) ? { kind, name } : { kind, tenant, name }
}

/** Until nothing is under way that takes no time: the database answers in a few turns of the event loop. */
async function quiet(busy: Busy): Promise<void> {
  for (let calm = 0; calm < 3; ) {
    const { calls } = busy
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    calm = busy.running === 0 && busy.calls === calls ? calm + 1 : 0
  }
}
