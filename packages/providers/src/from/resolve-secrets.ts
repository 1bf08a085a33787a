/** From references into the vault to values: the newest for a new release, the very same for one that is brought back. */
import type { Call, ServiceSpec } from '@gantry/core'
import type { DesiredService, PullCredentials, ResolvedSecret } from '../desired.ts'
import type { SecretSource } from '../secret-source.ts'

/** By the name of the secret. */
type Versions = Readonly<Record<string, number>>

export type Resolved = { readonly services: readonly DesiredService[]; readonly versions: Versions }

/** With `versions`, exactly those; what they do not name is read as it is now, and named in the answer. */
export async function resolveSecrets(
  source: SecretSource,
  tenant: string,
  services: readonly ServiceSpec[],
  versions: Versions,
  call: Call,
): Promise<Resolved> {
  const used: Record<string, number> = {}
  const read = async (name: string, key: string): Promise<Pick<ResolvedSecret, 'version' | 'value'>> => {
    // Two services that name the same secret get the same version, also if it is changed in between.
    const version = versions[name] ?? used[name]
    const found = await source.resolve({ tenant, name, key, ...(version === undefined ? {} : { version }) }, call)
    used[name] = found.version
    return found
  }
  const resolved: DesiredService[] = []
  for (const { secrets, imagePullSecret, ...service } of services) {
    const values: ResolvedSecret[] = []
    for (const ref of secrets) {
      const { env, file, name, key } = ref
      const place = { ...(env === undefined ? {} : { env }), ...(file === undefined ? {} : { file }) }
      values.push({ name, key, ...place, ...(await read(name, key)) })
    }
    const pull = imagePullSecret === undefined ? undefined : await pullCredentials(imagePullSecret, read)
    resolved.push({ ...service, secrets: values, ...(pull ? { imagePullSecret: pull } : {}) })
  }
  return { services: resolved, versions: used }
}

export type Credentials = PullCredentials

/** Both of one version: one that is renewed while it is read must not be half of each. */
export async function credentialsOf(
  source: SecretSource,
  tenant: string,
  name: string,
  version: number | undefined,
  call: Call,
): Promise<Credentials> {
  let used = version
  return await pullCredentials(name, async (_, key) => {
    const found = await source.resolve({ tenant, name, key, ...(used === undefined ? {} : { version: used }) }, call)
    used = found.version
    return found
  })
}

async function pullCredentials(
  name: string,
  read: (name: string, key: string) => Promise<Pick<ResolvedSecret, 'version' | 'value'>>,
): Promise<PullCredentials> {
  const username = await read(name, 'username')
  const password = await read(name, 'password')
  return { version: password.version, username: username.value, password: password.value }
}
