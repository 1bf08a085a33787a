/** What a user sends to make and change objects. */
import { type InputOf, kinds, type WrittenKindName, writtenKinds } from '@gantry/core'
import { z } from 'zod'

/** Nothing that a caller gives is changed, so it may be frozen. */
type Given<T> = T extends object ? { readonly [Key in keyof T]: Given<T[Key]> } : T

/** An object as a file may have it. What only the server sets may be there, and is ignored. */
export type ObjectInput<Name extends WrittenKindName> = {
  readonly apiVersion: 'gantry/v1'
  readonly kind: Name
  readonly metadata: {
    readonly name: string
    readonly tenant?: string
    readonly uid?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly [setByServer: string]: unknown
  }
  readonly spec: Given<InputOf<Name>>
  readonly status?: unknown
}

export type AnyObjectInput = { [Name in WrittenKindName]: ObjectInput<Name> }[WrittenKindName]

/** Shape only: defaults, and what crosses fields, are the matter of the kind's `parse`. */
export function inputOf<Name extends WrittenKindName>(kind: Name): z.ZodType<unknown, ObjectInput<Name>> {
  return kinds[kind].envelope as z.ZodType<unknown, ObjectInput<Name>>
}

export const anyInput = z.discriminatedUnion(
  'kind',
  Object.values(writtenKinds).map(({ envelope }) => envelope) as unknown as [
    z.ZodObject<{ kind: z.ZodLiteral<string> }>,
  ],
) as unknown as z.ZodType<unknown, AnyObjectInput>

type Patched<T> = T extends readonly unknown[]
  ? Given<T>
  : T extends object
    ? { readonly [Key in keyof T]?: Patched<T[Key]> | null }
    : T

/** JSON merge patch (RFC 7396): objects are merged, null removes, everything else replaces. */
export type ObjectPatch<Name extends WrittenKindName> = {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string | null>> | null
    readonly annotations?: Readonly<Record<string, string | null>> | null
  }
  readonly spec?: Patched<InputOf<Name>>
}

/** What the patch makes of the object is checked as a whole; here only what it may touch. */
const patchSchema = z
  .strictObject({
    metadata: z
      .strictObject({
        labels: z.record(z.string(), z.string().nullable()).nullable().optional(),
        annotations: z.record(z.string(), z.string().nullable()).nullable().optional(),
      })
      .optional()
      .describe('Only labels and annotations can be changed'),
    spec: z.record(z.string(), z.unknown()).optional().describe('Objects are merged, null removes, the rest replaces'),
  })
  .describe('A JSON merge patch (RFC 7396)')

export function patchOf<Name extends WrittenKindName>(_kind: Name): z.ZodType<ObjectPatch<Name>> {
  return patchSchema as unknown as z.ZodType<ObjectPatch<Name>>
}
