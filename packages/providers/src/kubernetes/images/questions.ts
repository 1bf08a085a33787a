/** Pure: where a registry is asked what a tag means, and who gives out leave to ask. */
import { speaksPlainly } from '../../images/plain-http.ts'
import { dockerHub, type Reference } from '../../images/reference.ts'
import type { Challenge } from './challenge.ts'

/** Docker's own registry answers elsewhere than its images are named by. */
const hubHost = 'index.docker.io'

/** What a tag may mean: one image, or one for each platform. */
export const manifestTypes: readonly string[] = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
]

const hostForm = /^(?:[a-z0-9][a-z0-9.-]*|\[[0-9a-f:]+\])(?::\d{1,5})?$/i
const partForm = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*$/
const tagForm = /^\w[\w.-]{0,127}$/

/** Undefined where no registry has such a name: it would be a path to something else. */
export function manifestUrl(
  { registry, path, tag = 'latest' }: Pick<Reference, 'registry' | 'path' | 'tag'>,
  plain: readonly string[],
): URL | undefined {
  const host = registry === dockerHub ? hubHost : registry
  if (!hostForm.test(host) || !tagForm.test(tag) || !path.split('/').every((part) => partForm.test(part)))
    return undefined
  return urlOf(`${speaksPlainly(host, plain) ? 'http' : 'https'}://${host}/v2/${path}/manifests/${tag}`)
}

/**
 * Where a registry sends us on to, for a manifest or for a token; undefined where we do not go. Only one that is spoken to
 * plainly itself may lead to another such: everything on this machine's loopback would be open to whoever has a registry.
 */
export function onwardUrl(location: string | undefined, from: URL, plain: readonly string[]): URL | undefined {
  const url = location === undefined ? undefined : urlOf(location, from)
  if (url?.username !== '' || url.password !== '') return undefined
  if (url.protocol === 'https:') return url
  const names = [url.host, `${url.hostname}:${url.port || '80'}`]
  const isPlain = url.protocol === 'http:' && from.protocol === 'http:'
  return isPlain && names.some((name) => speaksPlainly(name, plain)) ? url : undefined
}

/** Undefined where we do not go. */
export function tokenUrl(
  { realm, service, scope }: Extract<Challenge, { scheme: 'bearer' }>,
  asker: URL,
  { path }: Pick<Reference, 'path'>,
  plain: readonly string[],
): URL | undefined {
  const url = onwardUrl(realm, asker, plain)
  if (!url) return undefined
  if (service !== undefined) url.searchParams.set('service', service)
  url.searchParams.set('scope', scope ?? `repository:${path}:pull`)
  return url
}

/** As it may stand in a header; undefined where the answer makes no sense. */
export function tokenIn(body: Buffer): string | undefined {
  const { token, access_token } = recordOf(body.toString('utf8'))
  const found = [token, access_token].find((each) => typeof each === 'string' && /^[\x21-\x7e]+$/.test(each))
  return found as string | undefined
}

export const isDigest = (text: unknown): text is string =>
  typeof text === 'string' && /^sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/.test(text)

function recordOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function urlOf(text: string, base?: URL): URL | undefined {
  return URL.canParse(text, base?.href) ? new URL(text, base) : undefined
}
