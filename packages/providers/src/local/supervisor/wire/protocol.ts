/**
 * What client and supervisor say to each other. One connection carries one request: its first frame says who speaks which
 * version and what is asked, and the answer's first frame says the same of the supervisor. A client of another version is
 * told so, and by whom; it never comes to half an understanding.
 */
import { Fault, type FaultReason, faultReasons, type Issue, isFault, Secret } from '@gantry/core/base'
import type { TerminalSize } from '../../../exec.ts'
import type { ProcessEvent, ProcessSeen, ProcessUsage, SupervisorInfo } from '../process-seen.ts'
import type { ProcessSpec } from '../process-spec.ts'

/** Raised with every change that an older one of either side would not understand. */
export const protocolVersion = 3

/** Values of secrets travel as base64: they may be any text, and look like nothing in a trace of the socket. */
export type WireSpec = Omit<ProcessSpec, 'secretEnv'> & { readonly secretEnv?: Readonly<Record<string, string>> }

export type Ask =
  | { readonly method: 'info' | 'prepare' }
  | { readonly method: 'ensure'; readonly spec: WireSpec }
  | { readonly method: 'ensureInOrder'; readonly specs: readonly WireSpec[] }
  | { readonly method: 'start' | 'remove' | 'look'; readonly id: string }
  | { readonly method: 'stop'; readonly id: string; readonly graceMs?: number }
  | { readonly method: 'list'; readonly labels: Readonly<Record<string, string>> }
  | { readonly method: 'usage'; readonly ids?: readonly string[] }
  | { readonly method: 'watch' }
  | { readonly method: 'shutdown'; readonly processes: 'stop' | 'keep' }
  | ExecAsk

export type ExecAsk = {
  readonly method: 'exec'
  readonly id: string
  readonly argv: readonly string[]
  readonly stdin: boolean
  readonly tty?: TerminalSize
  readonly env?: Readonly<Record<string, string>>
}

export type Hello = { readonly gantry: number; readonly ask: Ask }

export type WireFault = { readonly reason: string; readonly message: string; readonly issues?: readonly Issue[] }

/** Of every answer. `event` may come many times, of the others one, and it is the last frame. */
export type Answer = { readonly ok: unknown } | { readonly event: unknown } | { readonly fault: WireFault }

/** While a command runs: from the client. */
export type ExecInput =
  | { readonly write: string }
  | { readonly end: true }
  | { readonly resize: TerminalSize }
  | { readonly kill: true }
  /** So many bytes of a stream were read, so that as many more may come. */
  | { readonly read: 'stdout' | 'stderr'; readonly bytes: number }

/** And from the supervisor, as events. */
export type ExecOutput =
  | { readonly started: true }
  | { readonly stream: 'stdout' | 'stderr'; readonly bytes: string }
  /** The next of the writes was taken. */
  | { readonly taken: true }
  | { readonly exit: { readonly ended: 'exited'; readonly exitCode: number } | { readonly ended: 'killed' } }

export function faultToWire(error: unknown): WireFault {
  if (isFault(error)) return { reason: error.reason, message: error.message, issues: error.issues }
  const message = error instanceof Error ? error.message : String(error)
  return { reason: 'unexpected', message: `The supervisor could not do this: ${message}` }
}

export function faultFromWire({ reason, message, issues }: WireFault): Fault {
  const known = Object.hasOwn(faultReasons, reason) ? (reason as FaultReason) : 'unexpected'
  return new Fault(known, message, { ...(issues && { issues }) })
}

export function specToWire({ secretEnv, ...spec }: ProcessSpec): WireSpec {
  if (!secretEnv) return spec
  const values = Object.entries(secretEnv).map(([name, value]) => [
    name,
    Buffer.from(value.reveal()).toString('base64'),
  ])
  return { ...spec, secretEnv: Object.fromEntries(values) }
}

export function specFromWire({ secretEnv, ...spec }: WireSpec): ProcessSpec {
  if (!secretEnv) return spec
  const values = Object.entries(secretEnv).map(([name, value]) => [name, new Secret(Buffer.from(value, 'base64'))])
  return { ...spec, secretEnv: Object.fromEntries(values) }
}

/** What JSON has made of its times, undone. */
type Dated = { readonly [key: string]: unknown }

function revived<T>(value: T, ...names: readonly string[]): T {
  const entries = Object.entries(value as Dated)
  return Object.fromEntries(
    entries.map(([name, each]) => [name, names.includes(name) && typeof each === 'string' ? new Date(each) : each]),
  ) as T
}

export function seenFromWire(wire: ProcessSeen): ProcessSeen {
  return {
    ...revived(wire, 'startedAt', 'nextStartAt'),
    ...(wire.lastExit && { lastExit: revived(wire.lastExit, 'startedAt', 'at') }),
    ...(wire.problem && { problem: revived(wire.problem, 'since') }),
  }
}

export function eventFromWire(wire: ProcessEvent): ProcessEvent {
  if (wire.type === 'snapshot') return { ...wire, processes: wire.processes.map(seenFromWire) }
  return wire.type === 'changed' ? { ...wire, process: seenFromWire(wire.process) } : wire
}

export const usageFromWire = (wire: ProcessUsage): ProcessUsage => revived(wire, 'at')
export const infoFromWire = (wire: SupervisorInfo): SupervisorInfo => revived(wire, 'startedAt')
