/** Whose objects a call may see. Every method of the store takes one, so there is no unscoped way in. */
import { Fault } from '@gantry/core'

/** Sees and writes one tenant's objects only; everything else is absent. */
export type TenantScope = { readonly tenant: string }

declare const brand: unique symbol

/** Sees everything. Cannot be written down: only `systemScope()` makes one, and the repo's rules say who may call it. */
export type SystemScope = { readonly [brand]: true }

export type Scope = TenantScope | SystemScope

const made = new WeakSet<object>()

/** For the control plane itself and for the authorizer's role `system`; nobody else. */
export function systemScope(): SystemScope {
  const scope = Object.freeze({}) as SystemScope
  made.add(scope)
  return scope
}

/** By identity, never by shape: an object that merely looks like a system scope is not one. */
export function isSystem(scope: Scope): scope is SystemScope {
  return made.has(scope)
}

/** No object lives here: keys must start with a letter or a digit. Looking here costs the same and finds nothing. */
export const nowhere = '-'

/** The tenant to look in. What the scope may not see is looked for where nothing is, so absent and foreign are one. */
export function tenantFor(scope: Scope, asked: string): string {
  if (isSystem(scope)) return asked
  return scope.tenant === asked && isKeyPart(asked) ? asked : nowhere
}

/** The tenant a list or a watch is confined to; `undefined`: all of them. */
export function confine(scope: Scope, asked: string | undefined): string | undefined {
  if (isSystem(scope)) return asked
  return tenantFor(scope, asked ?? scope.tenant)
}

const keyPart = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/

/** What the tables can hold as a part of a key. The grammar of names is core's; this only keeps the store sound. */
export function isKeyPart(text: string): boolean {
  return keyPart.test(text)
}

/** For what only the system may do. The types say so already; this holds where somebody got around them. */
export function requireSystem(scope: Scope): void {
  if (!isSystem(scope)) throw new Fault('unexpected', 'Only the system itself may do this')
}
