/** Pure: one context of a kubeconfig, alone and complete: what a server elsewhere can speak to the cluster with. */
import { Fault } from '@gantry/core'

type Fields = Readonly<Record<string, unknown>>

export type Kubeconfigs = readonly { readonly path: string; readonly value: unknown }[]

/** A file that an entry names, and how it is to be called when it is in the text itself. */
export type Inlined = { readonly path: string; readonly field: string; readonly entry: 'cluster' | 'user' }

export type OneContext = {
  readonly context: string
  readonly cluster: Fields
  readonly user: Fields
  readonly namespace?: string
  /** Of the entries, whose content has to be put into them; relative to the file that names them. */
  readonly files: readonly Inlined[]
}

/** Fields that name a file, and those that have the same in the text: base64 but for tokens. */
const fileFields: readonly (readonly [entry: Inlined['entry'], file: string, inside: string])[] = [
  ['cluster', 'certificate-authority', 'certificate-authority-data'],
  ['user', 'client-certificate', 'client-certificate-data'],
  ['user', 'client-key', 'client-key-data'],
  ['user', 'tokenFile', 'token'],
]

/** As kubectl takes several files: of two entries of one name, and of two current contexts, the first counts. */
export function oneContext(all: Kubeconfigs, wanted: string | undefined): OneContext {
  const current = all
    .flatMap(({ value }) => textIn(fieldsOf(value), 'current-context') ?? [])
    .find((name) => name !== '')
  const name = wanted ?? current
  const from = all.map(({ path }) => path).join(', ')
  const contexts = named(all, 'contexts', 'context')
  if (name === undefined) {
    throw new Fault('bad_request', `${from} has no current context; say which with --kube-context${choice(contexts)}`)
  }
  const context = contexts.get(name)
  if (!context) throw new Fault('bad_request', `${from} has no context "${name}"${choice(contexts)}`)
  const cluster = entryOf(all, 'clusters', 'cluster', textIn(context.fields, 'cluster'), name)
  const user = entryOf(all, 'users', 'user', textIn(context.fields, 'user'), name)
  refusePrograms(user.fields, name)
  const entries = { cluster, user }
  const files = fileFields.flatMap(([entry, file, inside]): Inlined[] => {
    const path = textIn(entries[entry].fields, file)
    // What is in the text itself counts, where there is both.
    if (path === undefined || textIn(entries[entry].fields, inside) !== undefined) return []
    return [{ entry, field: inside, path: resolved(entries[entry].path, path) }]
  })
  const namespace = textIn(context.fields, 'namespace')
  return {
    context: name,
    cluster: without(cluster.fields),
    user: without(user.fields),
    ...(namespace === undefined ? {} : { namespace }),
    files,
  }
}

/** `contents`: of each file, in the same order. */
export function kubeconfigText(one: OneContext, contents: readonly Buffer[]): string {
  const put = (entry: Inlined['entry']): Fields =>
    Object.fromEntries(
      one.files.flatMap(({ entry: of, field }, at) => {
        if (of !== entry) return []
        const bytes = contents[at] ?? Buffer.alloc(0)
        return [[field, field === 'token' ? bytes.toString('utf8').trim() : bytes.toString('base64')]]
      }),
    )
  const context = { cluster: 'cluster', user: 'user', ...(one.namespace !== undefined && { namespace: one.namespace }) }
  // JSON is YAML, and needs no rules for quoting.
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'cluster', cluster: { ...one.cluster, ...put('cluster') } }],
    users: [{ name: 'user', user: { ...one.user, ...put('user') } }],
    contexts: [{ name: one.context, context }],
    'current-context': one.context,
  })
}

/** A program that says who we are is one of this machine; the server has to have it, or something else. */
function refusePrograms(user: Fields, context: string): void {
  const exec = fieldsOf(user.exec)
  const plugin = fieldsOf(user['auth-provider'])
  if (Object.keys(exec).length === 0 && Object.keys(plugin).length === 0) return
  const what = textIn(exec, 'command') ?? textIn(plugin, 'name') ?? 'a program'
  const next = [
    'give the server its own kubeconfig, with that program beside it, by --server-kubeconfig PATH',
    'or name a context with a token or a certificate (such as one of a service account) with --kube-context',
  ]
  throw new Fault(
    'bad_request',
    `The context "${context}" signs in with ${what}, which runs on this machine alone; ${next.join(', ')}`,
  )
}

type Found = { readonly fields: Fields; readonly path: string }

function named(all: Kubeconfigs, list: string, inside: string): Map<string, Found> {
  const found = new Map<string, Found>()
  for (const { path, value } of all) {
    const entries = fieldsOf(value)[list]
    for (const entry of Array.isArray(entries) ? entries : []) {
      const name = textIn(fieldsOf(entry), 'name')
      if (name !== undefined && !found.has(name)) found.set(name, { fields: fieldsOf(fieldsOf(entry)[inside]), path })
    }
  }
  return found
}

function entryOf(all: Kubeconfigs, list: string, inside: string, name: string | undefined, context: string): Found {
  if (name === undefined) throw new Fault('bad_request', `The context "${context}" names no ${inside}`)
  const found = named(all, list, inside).get(name)
  if (found) return found
  throw new Fault('bad_request', `The context "${context}" names the ${inside} "${name}", which is not there`)
}

const choice = (contexts: ReadonlyMap<string, unknown>): string =>
  contexts.size === 0 ? '' : `; there are ${[...contexts.keys()].join(', ')}`

function without(fields: Fields): Fields {
  const names = new Set(fileFields.map(([, file]) => file))
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)))
}

function resolved(file: string, path: string): string {
  if (path.startsWith('/')) return path
  const folder = file.slice(0, file.lastIndexOf('/'))
  return `${folder}/${path}`
}

const textIn = (fields: Fields, name: string): string | undefined => {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}
