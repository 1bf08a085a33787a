/** A kind, said once: storage, routes, OpenAPI, client, CLI, docs and tables follow from it. */
import type { z } from 'zod'
import type { Issue } from '../fault.ts'
import type { Finding, Reserved } from '../validation/issues.ts'
import { envelopeOf, type Manifest } from './envelope.ts'
import type { Column, Face, Maker, Scope } from './face.ts'
import { derivedNameField, nameField } from './fields.ts'
import { fillerOf } from './fill.ts'
import { acceptManifest, checkManifest, parseManifest, type Reading } from './manifest.ts'

/** What it is called and whose it is are known to the types too: clients have `.workloads`, and routes their tenant. */
export type KindDefinition<
  Fields extends z.ZodType,
  Status extends z.ZodType,
  Spec,
  Name extends string = string,
  Plural extends string = string,
  Owner extends Scope = Scope,
  By extends Maker = Maker,
> = Face<Spec, z.output<Status>, Name, Plural, Owner, By> & {
  /** What a user may write; only what JSON Schema can say. */
  readonly spec: Fields
  readonly status: Status
  /** Fills in the defaults that follow from other fields. Total over what `spec` lets through. */
  readonly complete: (written: z.output<Fields>) => Spec
  /** What must hold between fields; paths begin below `spec`. */
  readonly rules?: readonly ((spec: Spec, written: z.output<Fields>) => Finding[])[]
  /** Names kept free for later, by path. */
  readonly reserved?: Reserved
  /** Objects below `spec` that become another thing when their `type` changes; a merge then takes the new one whole. */
  readonly variants?: readonly string[]
}

export type Kind<
  Spec = unknown,
  Status = unknown,
  Fields extends z.ZodType = z.ZodType,
  Name extends string = string,
  Plural extends string = string,
  Owner extends Scope = Scope,
  By extends Maker = Maker,
> = Omit<
  KindDefinition<Fields, z.ZodType<Status>, Spec, Name, Plural, Owner>,
  'columns' | 'complete' | 'rules' | 'madeBy'
> & {
  readonly madeBy: By
  readonly columns: readonly Column<Spec, Status>[]
  /** The whole object as a user may write it. */
  readonly envelope: z.ZodType
  /** Checked and complete, or an `invalid` fault with every offending field. */
  parse(input: unknown): Manifest<Spec>
  /** As `parse`, for plain JSON that a compiled validator of `envelope` has let through: what fits is not checked twice. */
  accept(fitting: unknown): Manifest<Spec>
  /** Every offending field; none if it can be parsed. */
  check(input: unknown): Issue[]
}

export function defineKind<
  Fields extends z.ZodType,
  Status extends z.ZodType,
  Spec,
  const Name extends string,
  const Plural extends string,
  const Owner extends Scope,
  const By extends Maker = 'users',
>(
  definition: KindDefinition<Fields, Status, Spec, Name, Plural, Owner, By>,
): Kind<Spec, z.output<Status>, Fields, Name, Plural, Owner, By> {
  const { complete, rules = [], madeBy = 'users' as By, ...rest } = definition
  const envelope = envelopeOf(definition.kind, definition.spec, madeBy === 'users' ? nameField : derivedNameField)
  const fill = fillerOf(envelope)
  const reading: Reading<Spec> = {
    ...rest,
    envelope,
    reserved: rest.reserved ?? {},
    judge(parsed) {
      const written = parsed as z.output<Fields>
      const spec = complete(written)
      return { spec, found: rules.flatMap((rule) => rule(spec, written)) }
    },
  }
  return {
    ...rest,
    madeBy,
    status: definition.status as z.ZodType<z.output<Status>>,
    envelope,
    parse: (input) => parseManifest(reading, input),
    accept: (fitting) => acceptManifest(reading, fitting, fill),
    check: (input) => checkManifest(reading, input).issues,
  }
}
