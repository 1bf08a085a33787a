/** Tokens of a tenant, or of the installation. */
import type { z } from 'zod'
import type { NewToken, systemTokenInput, Token, TokenPage, tenantTokenInput } from '../schemas/token.ts'
import { type Caller, type CallOptions, callEndpoint } from './call.ts'
import { type Paged, paged } from './pages.ts'

export interface TokenClient<Input> {
  /** All of them, without the tokens themselves. */
  list(options?: CallOptions): Paged<Token, TokenPage>
  /** The answer is the only place where the token itself is ever shown. */
  create(input: Input, options?: CallOptions): Promise<NewToken>
  /** From now on it is refused. */
  revoke(name: string, options?: CallOptions): Promise<Token>
}

export type TenantTokenInput = z.input<typeof tenantTokenInput>
export type SystemTokenInput = z.input<typeof systemTokenInput>

export function tenantTokens(caller: Caller, tenant: string): TokenClient<TenantTokenInput> {
  const { list, create, revoke } = caller.endpoints.tokens
  return {
    list: (options) =>
      paged((from) => callEndpoint(caller, list, { params: { tenant }, query: { continue: from } }, options)),
    create: (body, options) => callEndpoint(caller, create, { params: { tenant }, body }, options),
    revoke: (name, options) => callEndpoint(caller, revoke, { params: { tenant, name } }, options),
  }
}

export function systemTokens(caller: Caller): TokenClient<SystemTokenInput> {
  const { list, create, revoke } = caller.endpoints.systemTokens
  return {
    list: (options) => paged((from) => callEndpoint(caller, list, { params: {}, query: { continue: from } }, options)),
    create: (body, options) => callEndpoint(caller, create, { params: {}, body }, options),
    revoke: (name, options) => callEndpoint(caller, revoke, { params: { name } }, options),
  }
}
