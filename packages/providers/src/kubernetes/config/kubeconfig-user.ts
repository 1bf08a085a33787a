/** Pure: a user of a kubeconfig, as it is written. */
import type { Impersonation } from './cluster-config.ts'
import type { DocumentReader, Fields } from './document-reader.ts'
import type { Origin } from './kubeconfig.ts'

export type UserEntry = {
  readonly certFile?: string
  readonly certText?: string
  readonly keyFile?: string
  readonly keyText?: string
  readonly token?: string
  readonly tokenFile?: string
  readonly username?: string
  readonly password?: string
  readonly impersonate?: Impersonation
  /** The name of what was built into old kubectls. */
  readonly authProvider?: string
  readonly exec?: ExecEntry
  readonly origin: Origin
}

export type ExecEntry = {
  readonly apiVersion?: string
  readonly command?: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly installHint?: string
  readonly provideClusterInfo: boolean
  readonly interactiveMode?: string
}

export function userEntry(reader: DocumentReader, from: Fields, path: string, origin: Origin): UserEntry {
  const provider = from['auth-provider']
  return {
    ...present({
      certFile: reader.text(from, 'client-certificate', path),
      certText: reader.decoded(from, 'client-certificate-data', path),
      keyFile: reader.text(from, 'client-key', path),
      keyText: reader.decoded(from, 'client-key-data', path),
      token: reader.text(from, 'token', path),
      tokenFile: reader.text(from, 'tokenFile', path),
      username: reader.text(from, 'username', path),
      password: reader.text(from, 'password', path),
      impersonate: impersonation(reader, from, path),
      authProvider: provider ? (reader.text(provider as Fields, 'name', `${path}.auth-provider`) ?? '') : undefined,
      exec: from.exec ? execEntry(reader, reader.fields(from.exec, `${path}.exec`), `${path}.exec`) : undefined,
    }),
    origin,
  }
}

function impersonation(reader: DocumentReader, from: Fields, path: string): Impersonation | undefined {
  const [user, uid] = [reader.text(from, 'as', path), reader.text(from, 'as-uid', path)]
  const groups = reader.texts(from, 'as-groups', path)
  const extraFields = reader.fields(from['as-user-extra'], `${path}.as-user-extra`)
  const extra = Object.fromEntries(
    Object.keys(extraFields).map((name) => [name, reader.texts(extraFields, name, `${path}.as-user-extra`)]),
  )
  if (user === undefined && uid === undefined && groups.length === 0 && Object.keys(extra).length === 0)
    return undefined
  if (user === undefined) reader.wrong(`${path}.as`, 'is missing, while as-uid, as-groups or as-user-extra is there')
  return { ...present({ user, uid }), groups, extra }
}

function execEntry(reader: DocumentReader, from: Fields, path: string): ExecEntry {
  const env = reader.list(from.env, `${path}.env`).flatMap((each, at) => {
    const fields = reader.fields(each, `${path}.env[${at}]`)
    const name = reader.text(fields, 'name', `${path}.env[${at}]`)
    if (name === undefined) reader.wrong(`${path}.env[${at}].name`, 'is missing')
    return name === undefined ? [] : [[name, reader.text(fields, 'value', `${path}.env[${at}]`) ?? ''] as const]
  })
  return {
    ...present({
      apiVersion: reader.text(from, 'apiVersion', path),
      command: reader.text(from, 'command', path),
      installHint: reader.text(from, 'installHint', path),
      interactiveMode: reader.text(from, 'interactiveMode', path),
    }),
    args: reader.texts(from, 'args', path),
    env: Object.fromEntries(env),
    provideClusterInfo: reader.flag(from, 'provideClusterInfo', path),
  }
}

type Present<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> }

/** Without what is undefined. */
function present<T extends Readonly<Record<string, unknown>>>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>
}
