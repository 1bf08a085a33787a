/** Who asks a registry: the account that the service names, else the one that Docker's own settings have for it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Call, type Clock, isFault } from '@gantry/core'
import type { PullCredentials } from '../../desired.ts'
import { parseReference } from '../../images/reference.ts'
import type { RegistryAuth } from '../api/types/images.ts'
import { askHelper } from './credential-helper.ts'
import { accountFor, helperAccount } from './docker-config.ts'

export type Account = {
  /** Undefined: nobody in particular. */
  readonly auth?: RegistryAuth
  /** Why Docker's settings could not be read; to be told where the registry wanted a login. */
  readonly trouble?: string
}

/** `settings`: the folder of Docker's settings; undefined: they are nobody's business here. Read anew each time. */
export type AccountsOptions = { readonly settings: string | undefined; readonly clock: Clock }

export async function accountOf(
  image: string,
  credentials: PullCredentials | undefined,
  { settings, clock }: AccountsOptions,
  call: Call,
): Promise<Account> {
  const { registry } = parseReference(image)
  if (credentials) {
    const [username, password] = [credentials.username.reveal(), credentials.password.reveal()]
    return { auth: { username, password, serveraddress: registry } }
  }
  if (settings === undefined) return {}
  try {
    const auth = await configured(registry, settings, clock, call)
    return auth ? { auth } : {}
  } catch (error) {
    call.signal.throwIfAborted()
    // The settings hold passwords, and a parser quotes what it stumbles over.
    return { trouble: isFault(error) ? error.message : "Docker's settings cannot be read, so nobody was logged in" }
  }
}

async function configured(
  registry: string,
  settings: string,
  clock: Clock,
  call: Call,
): Promise<RegistryAuth | undefined> {
  const text = await readFile(join(settings, 'config.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  const account = accountFor(registry, text)
  if (account === undefined || 'auth' in account) return account?.auth
  const answer = await askHelper(account.helper, account.server, clock, call)
  return answer === undefined ? account.otherwise : helperAccount(registry, answer)
}
