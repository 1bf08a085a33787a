/** All kinds that are true. One arrives here together with what makes it so. */
import type { z } from 'zod'
import { Fault } from '../fault.ts'
import { isRecord } from '../json.ts'
import type { GantryObject, Status } from '../object.ts'
import { nearest } from '../validation/nearest.ts'
import type { Manifest } from './envelope.ts'
import { instanceKind } from './instance/instance.ts'
import { providerKind } from './provider/provider.ts'
import { releaseKind } from './release/release.ts'
import { rolloutKind } from './rollout/rollout.ts'
import { routeKind } from './route/route.ts'
import { secretKind } from './secret/secret.ts'
import { tenantKind } from './tenant/tenant.ts'
import { workloadKind } from './workload/workload.ts'

/** Those that users write. */
export const writtenKinds = {
  Tenant: tenantKind,
  Provider: providerKind,
  Secret: secretKind,
  Workload: workloadKind,
  Route: routeKind,
} as const

/** Those that controllers make, and users look at. */
export const madeKinds = { Release: releaseKind, Rollout: rolloutKind, Instance: instanceKind } as const

export const kinds = { ...writtenKinds, ...madeKinds } as const

export type WrittenKindName = keyof typeof writtenKinds
export type MadeKindName = keyof typeof madeKinds
export type KindName = keyof typeof kinds
export type AnyKind = (typeof kinds)[KindName]
export type AnyWrittenKind = (typeof kinds)[WrittenKindName]

/** What a user may write below `spec`, what it is once it is complete, and what the server says about it. */
export type InputOf<Name extends KindName> = z.input<(typeof kinds)[Name]['spec']>
export type SpecOf<Name extends KindName> = ReturnType<(typeof kinds)[Name]['parse']>['spec']
export type StatusOf<Name extends KindName> = z.output<(typeof kinds)[Name]['status']> & Status
/** An object as the server has it. */
export type ObjectOf<Name extends KindName> = GantryObject<SpecOf<Name>, StatusOf<Name>> & { readonly kind: Name }

/** A kind as people call it: `Workload`, `workload`, `workloads`, `wl`. */
export function findKind(word: string): AnyKind | undefined {
  const wanted = word.toLowerCase()
  return Object.values(kinds).find(({ kind, plural, short }) => [kind.toLowerCase(), plural, short].includes(wanted))
}

export function kindCalled(word: string): AnyKind {
  const kind = findKind(word)
  if (kind) return kind
  throw unknownKind(word)
}

/** Any object, read as the kind that it says it is. */
export function parseObject(input: unknown): Manifest<ReturnType<AnyWrittenKind['parse']>['spec']> {
  return kindOf(input).parse(input)
}

/** The kind that an object of a user says it is; here the name is exact, as files are read by machines. */
export function kindOf(input: unknown): AnyWrittenKind {
  const name = isRecord(input) ? input.kind : undefined
  if (typeof name === 'string' && Object.hasOwn(writtenKinds, name)) return writtenKinds[name as WrittenKindName]
  if (typeof name === 'string' && Object.hasOwn(madeKinds, name)) throw notForUsers(name)
  if (typeof name === 'string') throw unknownKind(name)
  const message = isRecord(input) ? 'is required' : 'is required; the document must be an object'
  throw new Fault('schema', `The object has no kind: kind ${message}`, { issues: [{ path: 'kind', message }] })
}

function unknownKind(word: string): Fault {
  const names = Object.keys(kinds)
  const guess = nearest(word, names) ?? findKind(word.slice(0, 64))?.kind
  const hint = guess === undefined ? `there are ${names.join(', ')}` : `did you mean "${guess}"?`
  const message = `there is no kind ${JSON.stringify(word.slice(0, 40))}; ${hint}`
  return new Fault('unknown_kind', `The object cannot be read: ${message}`, { issues: [{ path: 'kind', message }] })
}

function notForUsers(name: string): Fault {
  const message = `${name} is made by the server and can only be looked at; write what it is made from, a Workload`
  return new Fault('kind_not_writable', `The object cannot be written: ${message}`, {
    issues: [{ path: 'kind', message }],
  })
}
