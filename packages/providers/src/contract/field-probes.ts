/** A probe for every field of a service; a test holds this against the schema too. */
import type { ServiceSpec } from '@gantry/core'
import type { FieldProbe } from './field-probe.ts'
import { fileProbes } from './file-probes.ts'
import { plumbingProbes } from './plumbing-probes.ts'
import { programProbes } from './program-probes.ts'

export const fieldProbes: Readonly<Record<keyof ServiceSpec, FieldProbe>> = {
  ...programProbes,
  ...plumbingProbes,
  ...fileProbes,
}
