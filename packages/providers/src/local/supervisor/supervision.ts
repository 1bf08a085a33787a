/** All processes of one supervisor: what can be asked of them, apart from how the asking reaches us. */
import { rmSync } from 'node:fs'
import { type Clock, Fault } from '@gantry/core/base'
import { adopt, readMarks } from './adopt.ts'
import { checkId, checkSpec, publicSpec, sameSpec } from './check-spec.ts'
import { type Folders, outputFolder } from './folders.ts'
import type { Journal } from './journal.ts'
import { Keeper, type KeeperTools } from './keeper.ts'
import type { ProcessEvent, ProcessSeen, ProcessUsage } from './process-seen.ts'
import type { ProcessSpec } from './process-spec.ts'
import type { SecretShelf } from './secret-shelf.ts'
import { seenOf } from './seen-of.ts'
import { type UsageBefore, usageOf } from './usage-of.ts'

export type SupervisionTools = Omit<KeeperTools, 'changed'> & { readonly folders: Folders }

export class Supervision {
  readonly #tools: KeeperTools
  readonly #folders: Folders
  readonly #journal: Journal
  readonly #clock: Clock
  readonly #secrets: SecretShelf
  readonly #keepers = new Map<string, Keeper>()
  readonly #watchers = new Set<(event: ProcessEvent) => void>()
  readonly #usage = new Map<string, UsageBefore>()
  #telling: Promise<void> = Promise.resolve()

  constructor({ folders, ...tools }: SupervisionTools) {
    this.#folders = folders
    this.#journal = tools.journal
    this.#clock = tools.clock
    this.#secrets = tools.secrets
    this.#tools = { ...tools, changed: (id) => this.#changed(id) }
  }

  /** Takes over all that the journal knows. */
  adopt(): void {
    const marks = readMarks()
    for (const id of this.#journal.states.keys()) this.#keepers.set(id, new Keeper(id, this.#tools))
    for (const keeper of this.#keepers.values()) {
      adopt(keeper, this.#journal, this.#tools.trackingOf, marks)
      void keeper.drive()
    }
  }

  prepare(): void {
    this.#tools.tracking.prepare()
  }

  async ensure(spec: ProcessSpec): Promise<ProcessSeen> {
    await this.#ensure(spec)
    return this.#told(spec.id)
  }

  async ensureInOrder(specs: readonly ProcessSpec[]): Promise<ProcessSeen[]> {
    const seen: ProcessSeen[] = []
    for (const spec of specs) {
      await this.#ensure(spec)
      const now = seenOf(this.keeper(spec.id).state)
      seen.push(now)
      if (now.phase !== 'running' && now.phase !== 'ended') break
    }
    // Once for all of them: what is made durable last carries what came before it.
    await this.#journal.settled()
    return seen
  }

  async #ensure(spec: ProcessSpec): Promise<void> {
    checkSpec(spec)
    const asked = publicSpec(spec)
    const known = this.#keepers.get(spec.id)
    if (known && !(sameSpec(known.state.spec, asked) && this.#sameSecrets(spec))) {
      throw new Fault(
        'already_exists',
        `The process ${spec.id} is there with another spec: remove it first, or choose another id`,
      )
    }
    if (spec.secretEnv && asked.secretNames.length > 0) this.#secrets.put(spec.id, spec.secretEnv)
    if (!known) {
      this.#journal.write({ type: 'known', spec: asked })
      this.#keepers.set(spec.id, new Keeper(spec.id, this.#tools))
    }
    await this.keeper(spec.id).drive()
  }

  async start(id: string): Promise<ProcessSeen> {
    const keeper = this.keeper(id)
    if (keeper.state.wanted === 'stopped' || keeper.state.main === undefined) {
      this.#journal.write({ type: 'wanted', id, wanted: 'running' })
      this.#changed(id)
    }
    const driven = keeper.drive()
    // Ending what was there may take as long as its grace: whoever asked can watch.
    if (!keeper.state.ending) await driven
    return this.#told(id)
  }

  async stop(id: string, graceMs: number | undefined): Promise<ProcessSeen> {
    const keeper = this.keeper(id)
    if (keeper.state.wanted === 'running') {
      this.#journal.write({ type: 'wanted', id, wanted: 'stopped' })
      this.#changed(id)
    }
    if (keeper.state.ending) keeper.shorten(graceMs ?? keeper.state.spec.stopGraceMs)
    void keeper.drive()
    return this.#told(id)
  }

  async remove(id: string): Promise<void> {
    checkId(id)
    const keeper = this.#keepers.get(id)
    if (keeper) {
      if (keeper.state.group) {
        throw new Fault(
          'illegal_transition',
          `The process ${id} still lives: stop it, and remove it when it is stopped`,
        )
      }
      keeper.close()
      this.#keepers.delete(id)
      this.#journal.write({ type: 'removed', id })
      await this.#journal.settled()
    }
    this.#usage.delete(id)
    this.#secrets.forget(id)
    rmSync(outputFolder(this.#folders, id), { recursive: true, force: true })
    if (keeper) this.#emit({ type: 'removed', id })
  }

  async list(labels: Readonly<Record<string, string>>): Promise<ProcessSeen[]> {
    const wanted = Object.entries(labels)
    const seen = [...this.#journal.states.values()]
      .filter(({ spec }) => wanted.every(([name, value]) => spec.labels[name] === value))
      .map(seenOf)
    await this.#journal.settled()
    return seen
  }

  async look(id: string): Promise<ProcessSeen | undefined> {
    return this.#keepers.has(id) ? this.#told(id) : undefined
  }

  /** A snapshot first, then changes in their order. The answer takes the listener away. */
  watch(tell: (event: ProcessEvent) => void): () => void {
    let gone = false
    const listener = (event: ProcessEvent): void => {
      if (!gone) tell(event)
    }
    const processes = [...this.#journal.states.values()].map(seenOf)
    this.#tell(() => listener({ type: 'snapshot', processes }))
    this.#watchers.add(listener)
    return () => {
      gone = true
      this.#watchers.delete(listener)
    }
  }

  usage(ids: readonly string[] | undefined): ProcessUsage[] {
    return [...this.#journal.states.values()].flatMap((state) => {
      const { spec, group, main, run } = state
      if (!group || !main || (ids && !ids.includes(spec.id))) return []
      const now = this.#clock.now()
      const members = this.#tools.trackingOf(group.kind).members(group, [main])
      const usage = usageOf(state, members, this.#tools.limiter.usage(group), now, this.#usage.get(spec.id))
      if (usage.cpuMicros !== undefined) this.#usage.set(spec.id, { run, at: now, cpuMicros: usage.cpuMicros })
      return [usage]
    })
  }

  /** Whether there is nothing that lives, and nothing that is to be started. */
  get idle(): boolean {
    return [...this.#journal.states.values()].every(({ group, wanted, verdict }) => {
      return !group && (wanted === 'stopped' || verdict?.outcome === 'ended' || verdict?.outcome === 'failed')
    })
  }

  /** Ends all processes, those of the system last. */
  async stopAll(): Promise<void> {
    for (const role of ['workload', 'system'] as const) {
      const these = [...this.#keepers.values()].filter(({ state }) => state.spec.role === role)
      for (const { state } of these) await this.stop(state.spec.id, undefined)
      await Promise.all(these.map((keeper) => keeper.drive()))
    }
  }

  close(): void {
    for (const keeper of this.#keepers.values()) keeper.close()
  }

  keeper(id: string): Keeper {
    checkId(id)
    const keeper = this.#keepers.get(id)
    if (!keeper) throw new Fault('instance_not_found', `There is no process ${id}`)
    return keeper
  }

  /** What is not known any more cannot differ. */
  #sameSecrets({ id, secretEnv = {} }: ProcessSpec): boolean {
    const held = this.#secrets.get(id)
    if (!held) return true
    return Object.entries(secretEnv).every(([name, value]) => held[name]?.equals(value))
  }

  async #told(id: string): Promise<ProcessSeen> {
    const seen = seenOf(this.keeper(id).state)
    await this.#journal.settled()
    return seen
  }

  #changed(id: string): void {
    const state = this.#journal.states.get(id)
    if (state) this.#emit({ type: 'changed', process: seenOf(state) })
  }

  #emit(event: ProcessEvent): void {
    if (this.#watchers.size === 0) return
    this.#tell(() => {
      for (const watcher of this.#watchers) watcher(event)
    })
  }

  /** One after the other, and each after the journal holds it. */
  #tell(task: () => void): void {
    this.#telling = this.#telling
      .then(() => this.#journal.settled())
      .then(task)
      .catch((error: unknown) => this.#tools.log(`Watchers could not be told: ${String(error)}`))
  }
}
