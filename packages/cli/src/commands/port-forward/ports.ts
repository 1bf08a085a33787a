/** Pure: what PORT means. */
import { Fault, nearest, type ObjectOf } from '@gantry/core'

export type Forward = {
  /** 0: any that is free. */
  readonly local: number
  readonly remote: string | number
}

type Spec = Pick<ObjectOf<'Workload'>['spec'], 'services' | 'source'>

export function forwardOf(text: string): Forward {
  const [first = '', second, ...more] = text.split(':')
  const remote = second ?? first
  if (more.length > 0 || remote === '') throw refusal(text, 'write LOCAL:REMOTE, as in 8080:http')
  const number = /^\d+$/.test(remote) ? portNumber(remote, text) : undefined
  const here = second === undefined ? (number ?? 0) : first === '' ? 0 : portNumber(first, text)
  return { local: here, remote: number ?? remote }
}

/** The service must have it: nobody should listen for what can never be reached. Of what others wrote, the server knows. */
export function checkPort({ services, source }: Spec, service: string | undefined, { remote }: Forward): void {
  if (source) return
  const found = services.find(({ name, role }) => (service === undefined ? role === 'main' : name === service))
  const ports = found?.ports ?? []
  if (ports.some(({ name, port }) => name === remote || port === remote)) return
  const known = ports.map(({ name, port }) => `${name} (${port})`)
  const guess = nearest(
    String(remote),
    ports.map(({ name }) => name),
  )
  const hint =
    known.length === 0 ? 'it has none' : guess === undefined ? `it has ${known.join(', ')}` : `did you mean "${guess}"?`
  throw new Fault('bad_request', `The service "${found?.name ?? service}" has no port ${remote}; ${hint}`)
}

function portNumber(digits: string, text: string): number {
  const number = Number(digits)
  if (!/^\d{1,5}$/.test(digits) || number > 65_535) throw refusal(text, `${digits} is no port`)
  return number
}

function refusal(text: string, why: string): Fault {
  return new Fault('bad_request', `The port ${JSON.stringify(text)} cannot be forwarded: ${why}`)
}
