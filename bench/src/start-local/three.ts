/** The three services that both sides start: the same program, which answers at `PORT`. */
import { webProgram } from '@gantry/server/testing'

export const services = [
  { name: 'web', role: 'main' },
  { name: 'cache', role: 'sidecar' },
  { name: 'agent', role: 'sidecar' },
] as const

export const argv: readonly [string, ...string[]] = [process.execPath, '-e', webProgram]

export const healthPath = '/healthz'

/**
 * How long the program takes until it is well, beyond its own start. At once: nothing but what starting costs. Half a second:
 * like a service that loads its modules and connects somewhere first.
 */
export const cases = [
  { title: 'apply to ready, 3 services, well at once', readyMs: 0 },
  { title: 'apply to ready, 3 services, well after 500 ms', readyMs: 500 },
] as const

/** Nothing of the bench's own environment but where programs are, on both sides. */
export function environmentOf(readyMs: number): Readonly<Record<string, string>> {
  return { PATH: process.env.PATH ?? '', READY_MS: String(readyMs) }
}
