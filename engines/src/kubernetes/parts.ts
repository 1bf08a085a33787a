/** The parts of a cluster as processes: each is up when it answers, and each tells how it ended. */
import { renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type Call, Fault, orAbort, sleep, systemClock } from '@gantry/core'
import type { Site } from '../engine.ts'
import { childEnd } from '../keeper/children.ts'
import type { PartName } from './arguments.ts'
import type { Inside } from './inside.ts'
import * as places from './places.ts'

export type PartPlan = {
  readonly name: PartName
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Whether it does its work by now. */
  readonly isUp: (call: Call) => Promise<boolean>
}

export type Part = {
  readonly pid: number
  /** Undefined while it runs. */
  gone(): string | undefined
  /** Sends the signal, and resolves when it is gone. */
  stop(signal: NodeJS.Signals, call: Call): Promise<void>
  /** Lets it go on, if somebody has stopped it in the middle. */
  wake(): void
}

/** All that these know is in the API, so they are started again when they fail, as a system would do; but not for ever. */
const stateless: ReadonlySet<PartName> = new Set([
  'controllerManager',
  'scheduler',
  'proxy',
  'kubelet',
  'metricsServer',
])
const mostAgain = 3

/** Those that run now, or have ended without having been started again. */
export class Parts {
  readonly #site: Site
  readonly #inside: Inside
  readonly #onFailure: (how: string) => void
  readonly #parts = new Map<PartName, Part>()
  /** How often each that was up once was started again by itself since somebody last asked for it. */
  readonly #again = new Map<PartName, number>()

  /** A part that exits by itself has failed; one that was ended by somebody stays away until it is started again. */
  constructor(site: Site, inside: Inside, onFailure: (how: string) => void) {
    this.#site = site
    this.#inside = inside
    this.#onFailure = onFailure
  }

  get(name: PartName): Part | undefined {
    return this.#parts.get(name)
  }

  /** Answers when it is up. One that runs already is left alone. */
  async start(plan: PartPlan, call: Call): Promise<void> {
    const running = this.#parts.get(plan.name)
    if (!running || running.gone() !== undefined) this.#launch(plan)
    while (!(await plan.isUp(call))) {
      const how = this.#parts.get(plan.name)?.gone()
      if (how !== undefined) throw await this.#refused(plan.name, how)
      await sleep(systemClock, 50, call)
    }
    this.#again.set(plan.name, 0)
  }

  async stop(name: PartName, signal: NodeJS.Signals, call: Call): Promise<void> {
    await this.#parts.get(name)?.stop(signal, call)
  }

  wakeAll(): void {
    for (const part of this.#parts.values()) part.wake()
  }

  async endAll(call: Call): Promise<void> {
    await Promise.all([...this.#parts.values()].map((part) => part.stop('SIGKILL', call)))
  }

  #launch(plan: PartPlan): void {
    const { name, program, args, env } = plan
    const output = places.log(this.#site.folder, name)
    const command = this.#inside.command(program, args)
    // As a system starts them: folders that are made for containers are for all users of those.
    const child = this.#site.spawn(command.program, command.args, { env, output, umask: 0o022 })
    const end = childEnd(child).catch((error: unknown) => `could not be run: ${String(error)}`)
    let gone: string | undefined
    let asked = false
    void end.then((how) => {
      gone = how
      if (asked || /^ended by|code 0$/.test(how)) return
      const again = this.#again.get(name)
      if (again === undefined || again >= mostAgain || !stateless.has(name)) {
        this.#onFailure(`lost its ${name}, which ${how}`)
        return
      }
      this.#again.set(name, again + 1)
      this.#launch(plan)
    })
    this.#parts.set(name, {
      pid: child.pid ?? 0,
      gone: () => gone,
      async stop(signal, call) {
        asked = true
        child.kill(signal)
        child.kill('SIGCONT')
        await orAbort(end, call)
      },
      wake: () => child.kill('SIGCONT'),
    })
    this.#writePids()
  }

  /** At once and whole: several parts are started beside each other. */
  #writePids(): void {
    const file = places.pids(this.#site.folder)
    const pids = [...this.#parts].map(([name, { pid }]) => [name, pid])
    writeFileSync(`${file}.draft`, JSON.stringify(Object.fromEntries(pids)))
    renameSync(`${file}.draft`, file)
  }

  async #refused(name: PartName, how: string): Promise<Fault> {
    const log = places.log(this.#site.folder, name)
    const detail = (await readFile(log, 'utf8')).slice(-4_000)
    return new Fault('engine_refused', `The cluster's ${name} ${how}; see ${log}`, { detail })
  }
}
