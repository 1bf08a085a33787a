/** What a draft must be to become an object; checked here so that no table ever holds what another cannot. */
import { Fault, type Issue, type ObjectKey, type OwnerRef } from '@gantry/core'
import type { Draft } from '../command.ts'
import { isKeyPart, isSystem, nowhere } from '../scope.ts'
import type { Batch } from './batch.ts'
import type { RowKey } from './rows.ts'

const labelKey = /^[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,315}[A-Za-z0-9])?$/
const labelValue = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/
/** What a 64-bit column holds. */
const largest = 2n ** 63n - 1n

export function checkDraft(draft: Draft): void {
  const issues: Issue[] = []
  const { key } = draft
  const check = (path: string, part: string): void => {
    if (!isKeyPart(part))
      issues.push({ path, message: 'must begin with a letter or digit, and hold only those, . _ and -' })
  }
  check('kind', key.kind)
  check('metadata.name', key.name)
  if (key.tenant !== undefined) check('metadata.tenant', key.tenant)
  if (draft.uid !== undefined) check('metadata.uid', draft.uid)
  if (draft.spec === undefined) issues.push({ path: 'spec', message: 'is required' })
  for (const [label, value] of entriesOf(draft.labels)) {
    // Only what a selector can name may be a label.
    if (!labelKey.test(label)) issues.push({ path: `metadata.labels["${label}"]`, message: 'is not a label name' })
    else if (!labelValue.test(value))
      issues.push({ path: `metadata.labels["${label}"]`, message: 'is not a label value' })
  }
  for (const [counter, amount] of entriesOf(draft.usage)) {
    if (!isKeyPart(counter) || amount < 0n || amount > largest) {
      issues.push({ path: `usage["${counter}"]`, message: 'is not an amount between 0 and 2^63' })
    }
  }
  if (issues.length > 0) throw new Fault('schema', `${describe(key)} cannot be stored as it is`, { issues })
}

function entriesOf<Value>(record: Readonly<Record<string, Value>> | undefined): [string, Value][] {
  return record ? Object.entries(record) : []
}

/** An object whose owner is gone would outlive it for good, so it cannot be made. */
export function checkOwners(batch: Batch, key: RowKey, owners: readonly OwnerRef[]): void {
  for (const owner of owners) {
    const places = isSystem(batch.scope) && key.tenant !== '' ? [key.tenant, ''] : [key.tenant]
    const found = places.some((tenant) => {
      const at = batch.keyOf({ ...owner, tenant })
      return batch.get(at)?.object.metadata.uid === owner.uid
    })
    if (!found)
      throw new Fault('object_not_found', `Its owner ${owner.kind} "${owner.name}" (${owner.uid}) does not exist`)
  }
}

/** Nothing is made where the caller cannot see. */
export function checkPlace(asked: ObjectKey, key: RowKey): void {
  if (key.tenant !== nowhere) return
  const what =
    asked.tenant === undefined ? `${asked.kind} is a kind of system scope` : `There is no tenant "${asked.tenant}"`
  throw new Fault('object_not_found', `${what}, as far as this caller can see`)
}

export function describe(key: ObjectKey): string {
  return key.tenant === undefined ? `${key.kind} "${key.name}"` : `${key.kind} "${key.name}" of tenant "${key.tenant}"`
}
