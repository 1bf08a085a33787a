/** What a fresh installation has: one tenant, one token, and where to run things. No default secret: the token is made of chance, once. */
import { type Call, isFault, kinds } from '@gantry/core'
import type { Command, Store, SystemScope } from '@gantry/store'
import { makeToken, tokenKind } from '../auth/tokens.ts'

export const firstTenantName = 'default'

/** Made if there is no tenant at all: one that was deleted does not come back. `provider`: the type of the first one. */
export async function firstTenant(
  store: Store,
  scope: SystemScope,
  provider: string | undefined,
  call: Call,
): Promise<void> {
  const { items } = await store.list(scope, { kind: 'Tenant', limit: 1 }, call)
  if (items.length > 0) return
  const audit = { actor: 'control-plane', action: 'tenant.first', outcome: 'done' } as const
  const commands = [
    create('Tenant', firstTenantName, {}),
    ...(provider === undefined ? [] : [create('Provider', provider, { type: provider, default: true })]),
  ]
  await ignoringConflict(store.write(scope, commands, { audit }, call))
}

function create(kind: 'Tenant' | 'Provider', name: string, fields: object): Command {
  const { spec } = kinds[kind].parse({ apiVersion: 'gantry/v1', kind, metadata: { name }, spec: fields })
  return { op: 'create', draft: { key: { kind, name }, spec } }
}

/** Whether nobody has a token of the installation yet. */
export async function isUnclaimed(store: Store, scope: SystemScope, call: Call): Promise<boolean> {
  const { items } = await store.list(scope, { kind: tokenKind, tenant: '', limit: 1 }, call)
  return items.length === 0
}

/** The token whose text is in a file already: that comes first, so that none is lost on the way. */
export async function claim(store: Store, scope: SystemScope, text: string, call: Call): Promise<void> {
  const { commands } = makeToken({ name: 'admin', for: { role: 'system' }, createdBy: 'control-plane', text })
  const audit = { actor: 'control-plane', action: 'systemToken.first', outcome: 'done' } as const
  await ignoringConflict(store.write(scope, commands, { audit }, call))
}

/** Another server on the same database was first, which is as good. */
async function ignoringConflict(write: Promise<unknown>): Promise<void> {
  try {
    await write
  } catch (error) {
    if (!isFault(error, 'conflict')) throw error
  }
}
