/** Names of images taken apart. Pure; whether a name is a good one is for the engine to say. */

export type Reference = {
  /** Where it is asked for: `docker.io`, `127.0.0.1:5000`. */
  readonly registry: string
  /** What it is called there: `library/web`. */
  readonly path: string
  /** As it was written, without tag and digest. */
  readonly name: string
  readonly tag?: string
  /** `sha256:…`. */
  readonly digest?: string
}

/** The registry of names that name none. */
export const dockerHub = 'docker.io'

/** Under which Docker's own registry is known as well. */
const hubNames: ReadonlySet<string> = new Set([dockerHub, 'index.docker.io'])

export function parseReference(text: string): Reference {
  const [beforeDigest = '', digest] = text.split('@', 2)
  const colon = beforeDigest.lastIndexOf(':')
  const hasTag = colon > beforeDigest.lastIndexOf('/')
  const name = hasTag ? beforeDigest.slice(0, colon) : beforeDigest
  return {
    ...placeOf(name),
    name,
    ...(hasTag && { tag: beforeDigest.slice(colon + 1) }),
    ...(digest !== undefined && { digest }),
  }
}

function placeOf(name: string): Pick<Reference, 'registry' | 'path'> {
  const slash = name.indexOf('/')
  const first = name.slice(0, Math.max(0, slash))
  const isHost = /[.:]/.test(first) || first === 'localhost'
  const registry = isHost ? registryName(first) : dockerHub
  const path = isHost ? name.slice(slash + 1) : name
  return { registry, path: registry === dockerHub && !path.includes('/') ? `library/${path}` : path }
}

/** One name for each registry. */
export const registryName = (host: string): string => (hubNames.has(host) ? dockerHub : host)

/** The id of an image, which is here or nowhere: registries do not know it. */
export const isImageId = (text: string): boolean => /^sha256:[0-9a-f]{64}$/.test(text)

export function sameRepository(one: string, other: string): boolean {
  const [left, right] = [parseReference(one), parseReference(other)]
  return left.registry === right.registry && left.path === right.path
}
