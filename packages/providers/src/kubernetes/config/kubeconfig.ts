/** Pure: the text of a kubeconfig as what is in it, and several of them as one. */
import { isAbsolute, join } from 'node:path'
import { Fault, parseDocuments } from '@gantry/core'
import { DocumentReader, type Fields } from './document-reader.ts'
import { type UserEntry, userEntry } from './kubeconfig-user.ts'

export type Kubeconfig = {
  readonly currentContext?: string
  readonly contexts: ReadonlyMap<string, ContextEntry>
  readonly clusters: ReadonlyMap<string, ClusterEntry>
  readonly users: ReadonlyMap<string, UserEntry>
}

/** Where an entry was written: what its relative paths begin at. */
export type Origin = {
  /** For people: the path of the file, or what else the text came from. */
  readonly name: string
  /** Left out where the text is from no file. */
  readonly folder?: string
}

export type ContextEntry = {
  readonly cluster?: string
  readonly user?: string
  readonly namespace?: string
  readonly origin: Origin
}

export type ClusterEntry = {
  readonly server?: string
  readonly caFile?: string
  readonly caText?: string
  readonly insecure: boolean
  readonly tlsServerName?: string
  readonly proxyUrl?: string
  /** What exec plugins are told of it. */
  readonly execExtension?: unknown
  readonly origin: Origin
}

/** The name under which a cluster's entry has what its exec plugin wants to know. */
const execExtensionName = 'client.authentication.k8s.io/exec'

/** In these a number is meant as the text it is written as. */
const texts = new Set(['token', 'username', 'password', 'namespace', 'name', 'value', 'current-context'])

export function parseKubeconfig(text: string, origin: Origin): Kubeconfig {
  const [first, ...others] = parseDocuments(text, { textAt: (path) => texts.has(String(path.at(-1))) })
  if (others.length > 0)
    throw new Fault('bad_document', `${origin.name} has more than one document; a kubeconfig is one`)
  const reader = new DocumentReader()
  const top = reader.fields(first?.value, '')
  const kind = reader.text(top, 'kind', '')
  if (kind !== undefined && kind !== 'Config') reader.wrong('kind', `must be Config, and is ${kind}`)
  const currentContext = reader.text(top, 'current-context', '')
  const found: Kubeconfig = {
    ...(currentContext !== undefined && { currentContext }),
    contexts: named(reader, top, 'contexts', 'context', (from, path) => contextEntry(reader, from, path, origin)),
    clusters: named(reader, top, 'clusters', 'cluster', (from, path) => clusterEntry(reader, from, path, origin)),
    users: named(reader, top, 'users', 'user', (from, path) => userEntry(reader, from, path, origin)),
  }
  reader.done(origin.name)
  return found
}

/** As kubectl merges the files of KUBECONFIG: of two entries of a name, and of two current contexts, the first counts. */
export function mergeKubeconfigs(all: readonly Kubeconfig[]): Kubeconfig {
  const currentContext = all.find((each) => each.currentContext !== undefined)?.currentContext
  const lastFirst = all.toReversed()
  return {
    ...(currentContext !== undefined && { currentContext }),
    contexts: new Map(lastFirst.flatMap(({ contexts }) => [...contexts])),
    clusters: new Map(lastFirst.flatMap(({ clusters }) => [...clusters])),
    users: new Map(lastFirst.flatMap(({ users }) => [...users])),
  }
}

/** Relative to the file that names it; undefined where that is none. */
export function pathFrom(origin: Origin, path: string): string | undefined {
  if (isAbsolute(path)) return path
  return origin.folder === undefined ? undefined : join(origin.folder, path)
}

/** Lists of `{name, <what>: {…}}`, as everything in these files is. Of two of one name the first counts. */
function named<T>(
  reader: DocumentReader,
  top: Fields,
  list: string,
  what: string,
  read: (from: Fields, path: string) => T,
): ReadonlyMap<string, T> {
  const found = new Map<string, T>()
  for (const [at, item] of reader.list(top[list], list).entries()) {
    const path = `${list}[${at}]`
    const fields = reader.fields(item, path)
    const name = reader.text(fields, 'name', path)
    if (name === undefined) reader.wrong(`${path}.name`, 'is missing')
    else if (!found.has(name)) found.set(name, read(reader.fields(fields[what], `${path}.${what}`), `${path}.${what}`))
  }
  return found
}

function contextEntry(reader: DocumentReader, from: Fields, path: string, origin: Origin): ContextEntry {
  const [cluster, user] = [reader.text(from, 'cluster', path), reader.text(from, 'user', path)]
  const namespace = reader.text(from, 'namespace', path)
  return {
    ...(cluster !== undefined && { cluster }),
    ...(user !== undefined && { user }),
    ...(namespace !== undefined && { namespace }),
    origin,
  }
}

function clusterEntry(reader: DocumentReader, from: Fields, path: string, origin: Origin): ClusterEntry {
  const server = reader.text(from, 'server', path)
  const caFile = reader.text(from, 'certificate-authority', path)
  const caText = reader.decoded(from, 'certificate-authority-data', path)
  const tlsServerName = reader.text(from, 'tls-server-name', path)
  const proxyUrl = reader.text(from, 'proxy-url', path)
  const execExtension = reader
    .list(from.extensions, `${path}.extensions`)
    .map((each, at) => reader.fields(each, `${path}.extensions[${at}]`))
    .find(({ name }) => name === execExtensionName)?.extension
  return {
    ...(server !== undefined && { server }),
    ...(caFile !== undefined && { caFile }),
    ...(caText !== undefined && { caText }),
    insecure: reader.flag(from, 'insecure-skip-tls-verify', path),
    ...(tlsServerName !== undefined && { tlsServerName }),
    ...(proxyUrl !== undefined && { proxyUrl }),
    ...(execExtension !== undefined && { execExtension }),
    origin,
  }
}
