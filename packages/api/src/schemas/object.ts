/** Objects as the server answers with them. What a newer server adds is let through; what everything rests on is checked. */
import { type AnyKind, type KindName, kinds, type ObjectOf } from '@gantry/core'
import { z } from 'zod'

const time = z.string().describe('ISO 8601, in UTC')

export const metadataSchema = z.looseObject({
  name: z.string().describe('Unique among the objects of its kind in the tenant'),
  tenant: z.string().optional().describe('Absent on kinds that belong to the installation'),
  uid: z.string().describe('Unique for ever: an object that was deleted and made anew has another'),
  labels: z.record(z.string(), z.string()),
  annotations: z.record(z.string(), z.string()),
  generation: z.int().describe('Counts the changes of spec, from 1; what If-Match compares'),
  resourceVersion: z.int().describe('The global change sequence at the last write of any part'),
  ownerRefs: z.array(z.looseObject({ kind: z.string(), name: z.string(), uid: z.string() })),
  finalizers: z.array(z.string()).describe('Who must let go before it is gone'),
  createdAt: time,
  deletionRequestedAt: time.optional(),
})

/** The documented form of a schema that is checked more loosely than it is described. */
export const documentedAs = new WeakMap<z.core.$ZodType, z.ZodType>()

function documented(schema: z.ZodType): z.ZodType {
  const loose = z.looseObject({})
  documentedAs.set(loose, schema)
  return loose
}

function objectSchema(kind: AnyKind): z.ZodType {
  return z
    .looseObject({
      apiVersion: z.literal('gantry/v1'),
      kind: z.literal(kind.kind),
      metadata: metadataSchema,
      spec: documented(kind.spec),
      status: documented(kind.status),
    })
    .describe(kind.about)
}

const objectSchemas = new Map(Object.values(kinds).map((kind) => [kind.kind as KindName, objectSchema(kind)]))

/** One schema per kind, so that documents can refer to it by name. */
export function objectOf<Name extends KindName>(kind: Name): z.ZodType<ObjectOf<Name>> {
  return objectSchemas.get(kind) as z.ZodType<ObjectOf<Name>>
}

export type AnyObject = { [Name in KindName]: ObjectOf<Name> }[KindName]

export const anyObject = z.union([...objectSchemas.values()]) as unknown as z.ZodType<AnyObject>

/** Names one object. */
export const objectKeySchema = z.looseObject({
  kind: z.string(),
  tenant: z.string().optional(),
  name: z.string(),
})
