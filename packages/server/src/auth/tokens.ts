/**
 * Tokens in the store. Two objects each, written and removed together: `Token`, found by tenant and name, and `TokenHash`,
 * found by the hash of its text. Every request reads the second, so that a revoked token is refused at once, everywhere.
 */
import type { Grant, Identity, TenantRole, Token } from '@gantry/api'
import { type Call, type Clock, Fault, type GantryObject, type ObjectKey } from '@gantry/core'
import type { Command, Scope, Store, SystemScope } from '@gantry/store'
import { type Authenticate, bearerOf } from './authenticate.ts'
import type { LastUsed } from './last-used.ts'
import { newTokenText, tokenHash } from './token-text.ts'

export const tokenKind = 'Token'
const hashKind = 'TokenHash'

/** Whose: a tenant's with a role there, or the installation's. */
export type TokenFor = { readonly tenant: string; readonly role: TenantRole } | { readonly role: 'system' }

export type TokenSpec = {
  readonly role: Token['role']
  readonly hash: string
  readonly createdBy: string
  readonly expiresAt?: string
}

type HashSpec = { readonly name: string; readonly grant: Grant; readonly expiresAt?: string }

export type NewTokenWish = {
  readonly name: string
  readonly for: TokenFor
  readonly expiresAt?: string | undefined
  readonly createdBy: string
  /** Left out: a new one. */
  readonly text?: string
}

/** The text, which is kept nowhere, and the commands that make the token. */
export function makeToken(wish: NewTokenWish): { readonly text: string; readonly commands: Command[] } {
  const text = wish.text ?? newTokenText()
  const hash = tokenHash(text)
  const { name, createdBy } = wish
  const expires = wish.expiresAt === undefined ? {} : { expiresAt: wish.expiresAt }
  const tenant = 'tenant' in wish.for ? { tenant: wish.for.tenant } : {}
  const spec: TokenSpec = { role: wish.for.role, hash, createdBy, ...expires }
  const index: HashSpec = { name, grant: wish.for, ...expires }
  return {
    text,
    commands: [
      { op: 'create', draft: { key: { kind: tokenKind, ...tenant, name }, spec } },
      { op: 'create', draft: { key: { kind: hashKind, name: hash }, spec: index } },
    ],
  }
}

/** Both halves. `ifUid`: another token that has taken the name meanwhile stays. */
export function revokeCommands(token: GantryObject): Command[] {
  const { name, tenant, uid } = token.metadata
  const key = { kind: tokenKind, ...(tenant !== undefined && { tenant }), name }
  const { hash } = token.spec as TokenSpec
  return [
    { op: 'delete', key, ifUid: uid },
    { op: 'delete', key: { kind: hashKind, name: hash } },
  ]
}

export async function readToken(store: Store, scope: Scope, tenant: string | undefined, name: string, call: Call) {
  const key = { kind: tokenKind, ...(tenant !== undefined && { tenant }), name }
  const found = await store.read(scope, key, call)
  if (found) return found
  throw new Fault('object_not_found', `There is no token "${name}"${tenant === undefined ? '' : ` in "${tenant}"`}`)
}

/** As the API shows it: never the hash. */
export function viewToken({ metadata, spec, status }: GantryObject): Token {
  const { role, createdBy, expiresAt } = spec as TokenSpec
  const { lastUsedAt } = status as { lastUsedAt?: string }
  return {
    name: metadata.name,
    role,
    ...(metadata.tenant !== undefined && { tenant: metadata.tenant }),
    createdAt: metadata.createdAt,
    createdBy,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(lastUsedAt !== undefined && { lastUsedAt }),
  }
}

type Deps = { readonly store: Store; readonly scope: SystemScope; readonly clock: Clock; readonly lastUsed: LastUsed }

/** One read for each request, by the hash: how long it takes says nothing about any other token. */
export function tokenAuthenticator({ store, scope, clock, lastUsed }: Deps): Authenticate {
  return async (credentials, call): Promise<Identity | undefined> => {
    const text = bearerOf(credentials)
    if (text === undefined) return undefined
    const found = await store.read(scope, { kind: hashKind, name: tokenHash(text) }, call)
    if (!found) throw new Fault('token_unknown', 'This token is not known, or was revoked; ask for a new one')
    const { expiresAt } = found.spec as HashSpec
    if (expiresAt !== undefined && Date.parse(expiresAt) <= clock.now()) {
      throw new Fault('token_expired', `This token has expired at ${expiresAt}; ask for a new one`)
    }
    const { key, identity } = bearers.get(found) ?? bearerOfHash(found)
    lastUsed.note(key)
    return identity
  }
}

type Bearer = { readonly key: ObjectKey; readonly identity: Identity }

/** By the object itself: one that the store gives out again says the same again. */
const bearers = new WeakMap<GantryObject, Bearer>()

function bearerOfHash(found: GantryObject): Bearer {
  const { name, grant } = found.spec as HashSpec
  const tenant = 'tenant' in grant ? grant.tenant : undefined
  const bearer = {
    key: { kind: tokenKind, ...(tenant !== undefined && { tenant }), name },
    identity: { name: tenant === undefined ? `token:${name}` : `token:${name}@${tenant}`, grants: [grant] },
  }
  bearers.set(found, bearer)
  return bearer
}
