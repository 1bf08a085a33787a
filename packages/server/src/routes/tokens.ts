import { defaultLimit, endpoints, type NewToken } from '@gantry/api'
import { Fault, isFault, type ObjectKey } from '@gantry/core'
import type { AuditDraft, Scope } from '@gantry/store'
import { implement, type Routes } from '../app/implement.ts'
import { makeToken, type NewTokenWish, readToken, revokeCommands, tokenKind, viewToken } from '../auth/tokens.ts'
import { inCallersWords } from '../objects/store-faults.ts'
import { homeOf } from '../objects/write.ts'
import type { RouteDeps } from './deps.ts'

type Call = { readonly signal: AbortSignal }
type Page = { readonly limit?: number | undefined; readonly continue?: string | undefined }

/** The index by hash lies outside of any tenant, so tokens are written with the server's own scope, after authorization. */
export function tokenRoutes(deps: RouteDeps): Routes['tokens'] {
  const own = endpoints.tokens
  return {
    list: implement(own.list, ({ access, params, query, signal }) =>
      listTokens(deps, access, params, query, { signal }),
    ),
    create: implement(own.create, async ({ params: { tenant }, body, identity, recording, signal }) => {
      await deps.tenants.limits(tenant, { signal })
      const wish = { ...body, for: { tenant, role: body.role }, createdBy: identity.name }
      const target = { kind: tokenKind, tenant, name: body.name }
      return {
        body: await createToken(deps, wish, recording.draft({ target, detail: { role: body.role } }), homeOf(target), {
          signal,
        }),
      }
    }),
    revoke: implement(own.revoke, async ({ access, params: { tenant, name }, recording, signal }) => {
      const token = await readToken(deps.store, access, tenant, name, { signal })
      const audit = recording.draft({ target: { kind: tokenKind, tenant, name } })
      await deps.store.write(deps.scope, revokeCommands(token), { audit }, { signal })
      return { body: viewToken(token) }
    }),
  }
}

export function systemTokenRoutes(deps: RouteDeps): Routes['systemTokens'] {
  const own = endpoints.systemTokens
  return {
    list: implement(own.list, ({ access, query, signal }) => listTokens(deps, access, {}, query, { signal })),
    create: implement(own.create, async ({ body, identity, recording, signal }) => {
      const wish = { ...body, for: { role: 'system' }, createdBy: identity.name } as const
      const audit = recording.draft({ target: { kind: tokenKind, name: body.name }, detail: { role: 'system' } })
      return { body: await createToken(deps, wish, audit, [], { signal }) }
    }),
    revoke: implement(own.revoke, async ({ access, params: { name }, recording, signal }) => {
      const token = await readToken(deps.store, access, undefined, name, { signal })
      const audit = recording.draft({ target: { kind: tokenKind, name } })
      await deps.store.write(deps.scope, revokeCommands(token), { audit }, { signal })
      return { body: viewToken(token) }
    }),
  }
}

async function createToken(
  deps: RouteDeps,
  wish: NewTokenWish,
  audit: AuditDraft,
  requires: readonly ObjectKey[],
  call: Call,
): Promise<NewToken> {
  if (wish.expiresAt !== undefined && Date.parse(wish.expiresAt) <= deps.clock.now()) {
    const issues = [{ path: 'expiresAt', message: 'must be in the future' }]
    throw new Fault('schema', 'The token would have expired already: expiresAt must be in the future', { issues })
  }
  const { text, commands } = makeToken(wish)
  try {
    const { results } = await deps.store.write(deps.scope, commands, { audit, requires }, call)
    const [token] = results
    if (!token) throw new Fault('unexpected', 'The store has written, and says nothing about it')
    return { ...viewToken(token.object), token: text }
  } catch (error) {
    throw isFault(error) ? inCallersWords(error, () => '') : error
  }
}

async function listTokens(deps: RouteDeps, scope: Scope, { tenant }: { tenant?: string }, query: Page, call: Call) {
  // Those of the installation lie in no tenant, which to a list is the tenant without a name.
  const place = { kind: tokenKind, tenant: tenant ?? '' }
  const from = query.continue === undefined ? {} : { continue: query.continue }
  const page = await deps.store.list(scope, { ...place, ...from, limit: query.limit ?? defaultLimit }, call)
  if (page.items.length === 0 && tenant !== undefined) await deps.tenants.expect(tenant, call)
  const rest = page.continue === undefined ? {} : { continue: page.continue }
  return { body: { items: page.items.map(viewToken), ...rest } }
}
