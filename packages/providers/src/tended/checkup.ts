/** The health check of a service, for as long as one run of it goes on. */
import type { Call, Clock, HealthCheckSpec } from '@gantry/core'
import type { ExecRequest, ExecSession } from '../exec.ts'
import { commandLook } from '../probes/command.ts'
import { httpLook } from '../probes/http.ts'
import { type Look, unwell } from '../probes/look.ts'
import { Prober } from '../probes/prober.ts'
import { tcpLook } from '../probes/tcp.ts'

export type HealthSeen = Pick<Prober, 'ready' | 'readySince' | 'failingSince' | 'everReady' | 'message'>

export type Address = { readonly host: string; readonly port: number }

export type CheckupParts = {
  readonly clock: Clock
  /** From 0 up to 1. */
  readonly random: () => number
  /** Where a port is dialled now; `undefined`: nowhere yet. */
  readonly dial: (port: string) => Address | undefined
  /** What is shown of it has changed. */
  readonly changed: () => void
  /** It has become ready, which is shown too. */
  readonly ready: () => void
  /** It says that the service shall be started anew. */
  readonly unhealthy: () => void
}

export type CheckedRun = {
  /** Told apart from every other of the same service. */
  readonly run: string | number
  readonly startedAt: number
  /** It began before our eyes, so nothing that it was before can be missed. */
  readonly fresh: boolean
  readonly exec: (request: ExecRequest, call: Call) => Promise<ExecSession>
}

export class Checkup {
  readonly #parts: CheckupParts
  #of: { readonly run: CheckedRun['run']; readonly prober: Prober } | undefined

  constructor(parts: CheckupParts) {
    this.#parts = parts
  }

  /** Of this run; `undefined`: it is not looked at. */
  health(run: CheckedRun['run'] | undefined): HealthSeen | undefined {
    if (!this.#of || this.#of.run !== run) return undefined
    const { ready, readySince, failingSince, everReady, message } = this.#of.prober
    return { ready, readySince, failingSince, everReady, message }
  }

  /** Goes on where it looks at that run already. */
  begin(check: HealthCheckSpec, { run, startedAt, fresh, exec }: CheckedRun): void {
    if (this.#of?.run === run) return
    this.end()
    const { clock, random, changed, ready, unhealthy } = this.#parts
    const prober = new Prober({
      check,
      look: this.#lookFor(check, exec),
      clock,
      random,
      startedAt,
      adopted: !fresh,
      onChange: () => (prober.ready ? ready() : changed()),
      onFailing: () => {
        if (check.onUnhealthy === 'restart') unhealthy()
      },
    })
    this.#of = { run, prober }
  }

  end(): void {
    this.#of?.prober.stop()
    this.#of = undefined
  }

  #lookFor({ http, tcp, command }: HealthCheckSpec, exec: CheckedRun['exec']): Look {
    if (http) return this.#dialled(http.port, (address) => httpLook({ ...address, path: http.path }))
    if (tcp) return this.#dialled(tcp.port, tcpLook)
    if (command) return commandLook(command, exec)
    return async () => unwell('this check is not known here')
  }

  #dialled(port: string, look: (address: Address) => Look): Look {
    return async (call) => {
      const address = this.#parts.dial(port)
      return address ? await look(address)(call) : unwell('it has no address yet')
    }
  }
}
