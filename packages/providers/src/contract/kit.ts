/** What cases have in common: building specs, waiting, asking, and saying what was expected. */
import assert from 'node:assert/strict'
import {
  type Call,
  type Fault,
  type FaultReason,
  type HealthCheckSpec,
  isFault,
  sleep,
  type WorkloadInput,
  type WorkloadSpec,
  workloadKind,
} from '@gantry/core'
import { contentHash } from '../content-hash.ts'
import type { Desired } from '../desired.ts'
import type { ExecExit } from '../exec.ts'
import type { LogLine, LogOptions } from '../log-line.ts'
import type { ExecOptions, InstanceStatus, Provider, Provisioned } from '../provider.ts'
import type { Ref, Slot } from '../ref.ts'
import { bytesOf, readAll } from './bytes.ts'
import { desiredFor } from './desired-for.ts'
import type { Harness, TruthService } from './harness.ts'
import type { TestCommand, TestProgram } from './program.ts'

type ServiceInput = NonNullable<WorkloadInput['services']>[number]
export type SpecInput = Partial<WorkloadInput>
export type Ran = {
  readonly exit: ExecExit
  readonly code: number | undefined
  readonly stdout: string
  readonly stderr: string
}

/** How long anything is waited for that must happen by itself. */
const patienceMs = 60_000
/** However long a single look takes: what a look does itself may be the long part. */
const fewestLooks = 3
const lookEveryMs = 50

export class Kit {
  readonly harness: Harness
  readonly provider: Provider
  readonly #left = new AbortController()

  constructor(harness: Harness) {
    this.harness = harness
    this.provider = harness.provider
  }

  get call(): Call {
    return { signal: this.#left.signal }
  }

  async close(): Promise<void> {
    this.#left.abort(new Error('the case is over'))
  }

  settle<T>(work: Promise<T>): Promise<T> {
    return this.harness.settle(work)
  }

  /** The same name gives the same instance within a harness, and never one of another. */
  ref(workload = 'web', slot: Slot = 'a'): Ref {
    return { tenant: 'contract', workload, uid: contentHash([this.harness.installation, workload]).slice(0, 12), slot }
  }

  /** Where services may find and write files. */
  path(name: string): string {
    return `${this.harness.folder ?? '/contract'}/${name}`
  }

  /** A service that runs a test program; `web` and main unless told otherwise. */
  service(program: TestProgram = {}, more: Partial<ServiceInput> = {}): ServiceInput {
    return { name: 'web', ...this.harness.service(program), ...more }
  }

  /** One main service and quick gates, unless told otherwise. */
  spec(input: SpecInput = {}): WorkloadSpec {
    const strategy = { minReadySeconds: 0, progressDeadlineSeconds: 60, ...input.strategy }
    return workloadKind.parse({
      apiVersion: 'gantry/v1',
      kind: 'Workload',
      metadata: { name: 'web' },
      spec: { ...(!input.source && { services: [this.service()], stopGraceSeconds: 2 }), ...input, strategy },
    }).spec
  }

  /** With its defaults. */
  healthCheck(input: NonNullable<ServiceInput['healthCheck']>): HealthCheckSpec {
    const ports = [{ name: 'http', port: 8080 }]
    const [service] = this.spec({ services: [this.service({}, { ports, healthCheck: input })] }).services
    assert.ok(service?.healthCheck)
    return service.healthCheck
  }

  /** For the pure methods of an engine: what a provider would ask it for. Secrets are empty. */
  desired(input: SpecInput = {}, ref = this.ref()): Desired {
    return desiredFor(this.harness.installation, ref, this.spec(input))
  }

  async provision(input: SpecInput = {}, ref = this.ref(), labels: Record<string, string> = {}): Promise<Provisioned> {
    return await this.settle(this.provider.provision({ ref, labels, spec: this.spec(input) }, this.call))
  }

  async status(ref = this.ref()): Promise<InstanceStatus> {
    const status = await this.settle(this.provider.status(ref, this.call))
    assert.ok(status, 'there is a status')
    return status
  }

  async gone(ref = this.ref()): Promise<void> {
    await this.settle(this.provider.deprovision(ref, {}, this.call))
  }

  /** Runs a command to its end. */
  async run(
    command: TestCommand,
    options: Partial<ExecOptions> & { input?: string } = {},
    ref = this.ref(),
  ): Promise<Ran> {
    const { input, ...more } = options
    return await this.settle(this.#run(command, { ...more, stdin: input !== undefined }, input, ref))
  }

  async #run(command: TestCommand, more: Partial<ExecOptions>, input: string | undefined, ref: Ref): Promise<Ran> {
    assert.ok(this.provider.exec, 'the provider has exec')
    const session = await this.provider.exec(ref, { argv: this.harness.argv(command), ...more }, this.call)
    const texts = Promise.all([readAll(session.stdout), readAll(session.stderr)])
    if (input !== undefined) {
      await session.write(bytesOf(input))
      await session.end()
    }
    const [stdout, stderr] = await texts
    const exit = await session.exit
    return { exit, code: exit.ended === 'exited' ? exit.exitCode : undefined, stdout, stderr }
  }

  /** What a variable is inside the service; `undefined` where it is not set. */
  async env(name: string, options: Partial<ExecOptions> = {}, ref = this.ref()): Promise<string | undefined> {
    const { code, stdout } = await this.run({ do: 'env', name }, options, ref)
    return code === 0 ? stdout.trimEnd() : undefined
  }

  async read(path: string, options: Partial<ExecOptions> = {}, ref = this.ref()): Promise<string | undefined> {
    const { code, stdout } = await this.run({ do: 'read', path }, options, ref)
    return code === 0 ? stdout : undefined
  }

  async write(path: string, text: string, options: Partial<ExecOptions> = {}, ref = this.ref()): Promise<void> {
    assert.equal((await this.run({ do: 'write', path, text }, options, ref)).code, 0, `${path} can be written`)
  }

  /** All there is to read now, without following. */
  async lines(options: LogOptions = {}, ref = this.ref()): Promise<LogLine[]> {
    return await this.settle(this.#lines(options, ref))
  }

  async #lines(options: LogOptions, ref: Ref): Promise<LogLine[]> {
    assert.ok(this.provider.logs, 'the provider has logs')
    const lines: LogLine[] = []
    for await (const entry of this.provider.logs(ref, options, this.call)) if ('line' in entry) lines.push(entry)
    return lines
  }

  /** The processes that really run, by ground truth; init services that ended do not. */
  async processes(ref = this.ref(), service?: string): Promise<readonly TruthService[]> {
    const { services } = await this.harness.truth(ref)
    return services.filter((each) => each.running && (service === undefined || each.service === service))
  }

  /** Nothing of the instance is there, by ground truth; volumes aside. */
  async assertUntouched(ref = this.ref()): Promise<void> {
    const { objects } = await this.harness.truth(ref)
    assert.deepEqual(
      objects.filter(({ kind }) => kind !== 'volume'),
      [],
      'nothing was made on the engine',
    )
  }

  async refused(work: Promise<unknown>, ...reasons: FaultReason[]): Promise<Fault> {
    const error = await this.settle(
      work.then(
        () => undefined,
        (thrown: unknown) => thrown,
      ),
    )
    assert.ok(isFault(error), `a fault ${reasons.join(' or ')} was expected, and there was ${String(error)}`)
    const said = `a fault ${reasons.join(' or ')} was expected, and there was ${error.reason}: ${error.message}`
    assert.ok(reasons.includes(error.reason), said)
    return error
  }

  /** Waits for something that must come by itself. */
  async eventually<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
    const until = this.harness.clock.monotonic() + patienceMs
    for (let looks = 1; ; looks += 1) {
      const found = await look()
      if (found !== undefined && found !== false) return found
      const isTooLate = looks >= fewestLooks && this.harness.clock.monotonic() >= until
      assert.ok(!isTooLate, `${what}, within ${patienceMs} ms`)
      await this.pass(lookEveryMs)
    }
  }

  /** Lets time pass. */
  async pass(ms: number): Promise<void> {
    await this.settle(sleep(this.harness.clock, ms, this.call))
  }
}
