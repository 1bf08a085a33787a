/** The helms that we have begun: at most one for each release, beside the passes, and left alone when we go. */
import { randomUUID } from 'node:crypto'
import { asFault, type Call, Fault, isFault, withDeadline } from '@gantry/core'
import { type Ref, refKey } from '../../ref.ts'
import { argvOf } from './command/argv.ts'
import { environmentOf, type RunPlaces } from './command/environment.ts'
import type { HelmOptions } from './helm.ts'
import { failureAfter } from './outcome.ts'
import type { Prepare, Preparing } from './prepare/preparing.ts'
import type { Operation, OperationVerb } from './record.ts'
import { askHelm, type HelmChild, startHelm } from './run/child.ts'
import { makeRunFolder, removeRunFolder, writePrivate } from './run/folder.ts'
import type { HelmMachine } from './run/machine.ts'
import { type HelmProgram, HelmProgramFinder } from './run/program.ts'
import { settle } from './settle.ts'
import type { HelmStore, Stored } from './store.ts'

export type Task = {
  readonly stored: Stored
  readonly namespace: string
  readonly verb: OperationVerb
  readonly release?: string
  readonly specHash?: string
  /** The newest revision there is. */
  readonly from: number
  readonly timeoutSeconds: number
  /** Makes ready what is needed, and says what helm is told. */
  readonly prepare: Prepare
  /** Written into the record together with the operation. */
  readonly record?: Partial<Stored['record']>
}

export type Job = {
  readonly mark: string
  readonly verb: OperationVerb
  readonly specHash: string | undefined
  /** Read as "waiting for …". */
  message: string
  /** Until its helm changes something, it can be given up without a trace. */
  isPreparing: boolean
  readonly abort: AbortController
}

/** To fetch a chart and to render it. */
const prepareMs = 180_000
/** Before, itself, after, and taken back: each of these may take as long as it is given. */
const untilOf = (now: number, timeoutSeconds: number): number => now + 4 * timeoutSeconds * 1000 + 60_000

export type RunnerDeps = {
  readonly options: HelmOptions
  readonly store: HelmStore
  readonly here: HelmMachine
  readonly changed: (ref: Ref) => void
}

export class HelmRunner {
  readonly #deps: RunnerDeps
  readonly #finder: HelmProgramFinder
  readonly #jobs = new Map<string, Job>()
  readonly #work = new Set<Promise<void>>()
  readonly #children = new Set<HelmChild>()
  readonly #troubles = new Map<string, unknown>()
  #isClosed = false

  constructor(deps: RunnerDeps) {
    this.#deps = deps
    this.#finder = new HelmProgramFinder(deps.options.helm, (path, call) => this.#version(path, call))
  }

  job(ref: Ref): Job | undefined {
    return this.#jobs.get(refKey(ref))
  }

  begin(ref: Ref, task: Task): Job {
    if (this.#isClosed) throw new Fault('shutting_down', 'The engine is being let go; no helm is begun any more')
    const job: Job = {
      mark: (this.#deps.options.ids ?? randomUUID)(),
      verb: task.verb,
      specHash: task.specHash,
      message: `helm ${task.verb}`,
      isPreparing: true,
      abort: new AbortController(),
    }
    this.#jobs.set(refKey(ref), job)
    const work = this.#run(ref, job, task)
      .catch((error: unknown) => {
        this.#troubles.set(refKey(ref), error)
      })
      .finally(() => {
        this.#work.delete(work)
        this.#jobs.delete(refKey(ref))
        if (!this.#isClosed) this.#deps.changed(ref)
      })
    this.#work.add(work)
    return job
  }

  /** What went wrong beside the passes, and is nobody's but ours: the next pass tells it. */
  throwTrouble(ref: Ref): void {
    const key = refKey(ref)
    if (!this.#troubles.has(key)) return
    const trouble = this.#troubles.get(key)
    this.#troubles.delete(key)
    throw trouble
  }

  /** What prepares is given up; what runs goes on without us, and the next one of us finds it. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const job of this.#jobs.values()) job.abort.abort(new Fault('aborted', 'The engine was let go'))
    for (const child of this.#children) child.leave()
    const preparing = [...this.#work]
    if (this.#children.size === 0) await Promise.all(preparing)
  }

  /** What goes wrong stands in the record; what could not be written there, as the cluster is away, is found again by a pass. */
  async #run(ref: Ref, job: Job, task: Task): Promise<void> {
    const { options } = this.#deps
    const deadline = withDeadline(options.clock, prepareMs, `Preparing helm ${task.verb}`, job.abort)
    let child: HelmChild
    let stored: Stored
    try {
      const places = await makeRunFolder(options.folder, job.mark)
      await writePrivate(places.kubeconfig, await options.kubeconfig(deadline))
      const program = await this.#finder.program(deadline)
      const command = await task.prepare(this.#preparing(job, places, program, deadline))
      stored = await this.#writeDown(ref, job, task, deadline)
      job.isPreparing = false
      job.message = `helm ${task.verb}`
      child = await startHelm({
        program: program.path,
        argv: argvOf(command, program.major),
        env: environmentOf(places, job.mark, 'cluster', process.env),
        ...places,
      })
    } catch (error) {
      await removeRunFolder(options.folder, job.mark)
      if (!job.abort.signal.aborted) await this.#failed(ref, task, error)
      return
    } finally {
      deadline.clear()
    }
    this.#children.add(child)
    await child.ended
    this.#children.delete(child)
    if (!this.#isClosed) await this.#settle(stored, task.namespace)
  }

  #preparing(job: Job, places: RunPlaces, program: HelmProgram, call: Call): Preparing {
    let asked = 0
    return {
      places,
      call,
      tell: (message) => {
        job.message = message
      },
      ask: (command, reaches) => {
        asked += 1
        const file = (name: string): string => `${places.folder}/asked-${asked}-${name}`
        const argv = argvOf(command, program.major)
        const env = environmentOf(places, job.mark, reaches, process.env)
        return askHelm(
          { program: program.path, argv, env, folder: places.folder, output: file('output'), errors: file('errors') },
          call,
        )
      },
    }
  }

  async #writeDown(ref: Ref, job: Job, task: Task, call: Call): Promise<Stored> {
    const { store, here, options } = this.#deps
    const operation: Operation = {
      mark: job.mark,
      verb: task.verb,
      ...(task.release !== undefined && { release: task.release }),
      ...(task.specHash !== undefined && { specHash: task.specHash }),
      revision: task.from + 1,
      host: here,
      until: untilOf(options.clock.now(), task.timeoutSeconds),
    }
    return await store.write(ref, { ...task.stored.record, ...task.record, operation }, task.stored, call)
  }

  async #settle({ ref }: Stored, namespace: string): Promise<void> {
    const { store, options } = this.#deps
    const deadline = withDeadline(options.clock, 30_000, 'Reading what helm has done', noCaller)
    try {
      const stored = await store.record(ref, deadline)
      const operation = stored?.record.operation
      if (!stored || !operation) return
      const history = await store.history(namespace, stored.record.releaseName, deadline)
      const isOver = !history.at(-1)?.status.startsWith('pending-')
      // One that died in the middle has to be repaired first, by a pass.
      if (isOver)
        await settle(stored, operation, history, { store, clock: options.clock, folder: options.folder }, deadline)
    } catch (error) {
      if (!isPassing(error)) throw error
    } finally {
      deadline.clear()
    }
  }

  /** It came to nothing before helm began. */
  async #failed(ref: Ref, { stored, specHash, verb }: Task, error: unknown): Promise<void> {
    if (isPassing(error)) return
    const { store, options } = this.#deps
    const { reason, message } = asFault(error)
    const deadline = withDeadline(options.clock, 30_000, 'Writing down what went wrong', noCaller)
    try {
      const outcome = { state: 'failed', reason, message: `helm ${verb} was not begun: ${message}` } as const
      const latest = await store.record(ref, deadline)
      if (!latest || latest.uid !== stored.uid) return
      const { operation, failure: before, ...rest } = latest.record
      const failure = failureAfter(before, outcome, specHash, options.clock.now())
      await store.write(ref, { ...rest, failure }, latest, deadline)
    } catch (further) {
      if (!isPassing(further)) throw further
    } finally {
      deadline.clear()
    }
  }

  async #version(path: string, call: Call): Promise<string> {
    const { folder, ids = randomUUID } = this.#deps.options
    const mark = ids()
    const places = await makeRunFolder(folder, mark)
    try {
      const env = environmentOf(places, mark, 'cluster', process.env)
      return await askHelm({ program: path, argv: argvOf({ verb: 'version' }, 4), env, ...places }, call)
    } finally {
      await removeRunFolder(folder, mark)
    }
  }
}

const noCaller: Call = { signal: new AbortController().signal }

/** The cluster is away, or somebody was faster: the next pass looks for itself. */
const isPassing = (error: unknown): boolean =>
  isFault(error, 'unavailable') || isFault(error, 'deadline') || isFault(error, 'conflict')
