/** Pure: what the flags of a deploy change, service by service. */
import type { DeployBody } from '@gantry/api'
import { Fault, nearest } from '@gantry/core'

export type DeployFlags = {
  readonly image: readonly string[]
  readonly env: readonly string[]
  readonly service: string | undefined
  readonly strategy: NonNullable<NonNullable<DeployBody['strategy']>['type']> | undefined
  readonly message: string | undefined
  readonly retry: boolean
}

export type KnownService = { readonly name: string; readonly role?: string | undefined }

type ServiceChange = { name: string; image?: string; env?: Record<string, string> }

export function deployBody(flags: DeployFlags, services: readonly KnownService[]): DeployBody {
  const changes = new Map<string, ServiceChange>()
  const change = (name: string): ServiceChange => {
    const found = changes.get(name) ?? { name }
    changes.set(name, found)
    return found
  }
  for (const word of flags.image) {
    const { service, image } = imageIn(word)
    change(named(service, services)).image = image
  }
  if (flags.service !== undefined && flags.env.length === 0) {
    throw new Fault('bad_request', '--service says whose environment --env changes, and there is no --env')
  }
  for (const word of flags.env) {
    const one = change(named(flags.service, services))
    one.env = { ...one.env, ...variableIn(word) }
  }
  if (flags.retry && (changes.size > 0 || flags.strategy !== undefined)) {
    throw new Fault('bad_request', '--retry is the same again; leave it out to deploy a change')
  }
  return {
    ...(changes.size > 0 && { services: [...changes.values()] }),
    ...(flags.strategy !== undefined && { strategy: { type: flags.strategy } }),
    ...(flags.message !== undefined && { message: flags.message }),
  }
}

/** An image has no = in it. */
function imageIn(word: string): { service: string | undefined; image: string } {
  const at = word.indexOf('=')
  const image = word.slice(at + 1)
  if (image === '' || at === 0) throw new Fault('bad_request', `--image ${word} is no image; write SERVICE=IMAGE`)
  return { service: at < 0 ? undefined : word.slice(0, at), image }
}

function variableIn(word: string): Record<string, string> {
  const at = word.indexOf('=')
  if (at > 0) return { [word.slice(0, at)]: word.slice(at + 1) }
  if (at < 0 && word.length > 1 && word.endsWith('-')) return { [word]: '' }
  throw new Fault('bad_request', `--env ${word} changes nothing; write KEY=VALUE, or KEY- to take it away`)
}

function named(name: string | undefined, services: readonly KnownService[]): string {
  if (services.length === 0) {
    const next = 'change those, and apply the file with "gantry apply"'
    throw new Fault('unknown_service', `The workload has no services: it is made of manifests or of a chart; ${next}`)
  }
  const names = services.map((service) => service.name)
  if (name === undefined) return services.find(({ role = 'main' }) => role === 'main')?.name ?? names[0] ?? ''
  if (names.includes(name)) return name
  const guess = nearest(name, names)
  const hint = guess === undefined ? `it has ${names.join(', ')}` : `did you mean "${guess}"?`
  throw new Fault('unknown_service', `The workload has no service ${JSON.stringify(name)}; ${hint}`)
}
