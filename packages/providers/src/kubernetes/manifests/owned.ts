/**
 * Whether an object still is what we made of it. The server keeps which fields are ours: whoever else changes or removes one of
 * them takes it out of that list. So the same list, of the same object, after the same apply means that nobody did.
 */
import type { KubeObject } from '../api/types/meta.ts'
import { fieldManager } from './record/record.ts'
import { shortHash } from './short-hash.ts'

/** `undefined`: we have no field in it. */
export function ownedHash({ metadata }: KubeObject): string | undefined {
  const own = metadata.managedFields?.find(
    ({ manager, operation, subresource }) => manager === fieldManager && operation === 'Apply' && !subresource,
  )
  return own?.fieldsV1 && shortHash(own.fieldsV1)
}
