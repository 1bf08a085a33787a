/** For one field of a spec: an input that uses it, and what must then be so. */
import type { DeclaredCapability } from '@gantry/core'
import type { Requirement } from './case.ts'
import type { Kit, SpecInput } from './kit.ts'
import type { Row } from './rows.ts'

export type FieldProbe = {
  readonly rows?: readonly Row[]
  readonly needs?: readonly Requirement[]
  /** Where a refusal points. */
  readonly path: string
  /** What the field asks for beyond the engine's own check. */
  readonly capability?: DeclaredCapability
  input(kit: Kit): SpecInput | Promise<SpecInput>
  verify(kit: Kit, input: SpecInput): Promise<void>
}

type ServiceInput = NonNullable<SpecInput['services']>[number]

export const mebi = 2 ** 20
export const httpPort = [{ name: 'http', port: 8080 }]

/** The path of a field of the first service. */
export const at = (field: string): string => `spec.services[0].${field}`

/** A workload of one service that does nothing but have these fields. */
export const one = (kit: Kit, more: Partial<ServiceInput>): SpecInput => ({ services: [kit.service({}, more)] })

/** Provisions, then asks. */
export const after =
  (ask: (kit: Kit) => Promise<void>) =>
  async (kit: Kit, input: SpecInput): Promise<void> => {
    await kit.provision(input)
    await ask(kit)
  }
