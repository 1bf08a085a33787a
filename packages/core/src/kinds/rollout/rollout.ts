import { defineKind } from '../define-kind.ts'
import { rolloutFace } from './face.ts'
import { type RolloutSpec, rolloutFields } from './spec.ts'
import { rolloutStatus } from './status.ts'

export const rolloutKind = defineKind({
  ...rolloutFace,
  spec: rolloutFields,
  status: rolloutStatus,
  complete: (written): RolloutSpec => written,
})
