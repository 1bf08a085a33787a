import { defineKind } from '../define-kind.ts'
import { instanceFace } from './face.ts'
import { type InstanceSpec, instanceFields } from './spec.ts'
import { instanceStatus } from './status.ts'

/** Nothing of an instance is forgotten before its engine was seen to be rid of it. */
export const instanceFinalizer = 'gantry.dev/engine'

export const instanceKind = defineKind({
  ...instanceFace,
  spec: instanceFields,
  status: instanceStatus,
  complete: (written): InstanceSpec => written,
})
