/** The three services that both sides start: the same program, which answers at `PORT`. */
import { webProgram } from '@gantry/server/testing'

export const services = [
  { name: 'web', role: 'main' },
  { name: 'cache', role: 'sidecar' },
  { name: 'agent', role: 'sidecar' },
] as const

export const argv: readonly [string, ...string[]] = [process.execPath, '-e', webProgram]

export const healthPath = '/healthz'

/** As the local provider has it for what it starts: nothing of the bench's own environment but where programs are. */
export const environment: Readonly<Record<string, string>> = { PATH: process.env.PATH ?? '' }
