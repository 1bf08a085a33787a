import { describe, expect, it } from 'vitest'
import { ownerLabels } from '../../labels.ts'
import type { Ref } from '../../ref.ts'
import type { KubeObject } from '../api/types/meta.ts'
import { claimOwnerOf, ownerOf, workloadOwnerOf } from './ownership.ts'

const ref: Ref = { tenant: 'acme', workload: 'web', uid: 'u2', slot: 'a' }
const before: Ref = { ...ref, uid: 'u1' }

const labelled = (labels: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'x', labels },
})

const of = (owner: Ref, installation = 'here') => labelled(ownerLabels(installation, owner))

describe('an object with a name of ours', () => {
  it.each([
    ['our own', of(ref), 'own'],
    ['of the one before it', of(before), 'before'],
    ['of another installation', of(ref, 'there'), 'foreign'],
    ['of nobody that we know', labelled({}), 'foreign'],
  ])('is %s', (_, object, owner) => {
    expect(ownerOf(object, 'here', ref)).toBe(owner)
  })

  it('is the workload’s whatever the slot, by its uid', () => {
    expect(workloadOwnerOf(of({ ...ref, slot: 'b' }), 'here', ref)).toBe('own')
    expect(workloadOwnerOf(of(before), 'here', ref)).toBe('before')
    expect(workloadOwnerOf(of(ref, 'there'), 'here', ref)).toBe('foreign')
  })
})

describe('a claim', () => {
  const owner = (object: KubeObject, isHere: boolean) => claimOwnerOf(object, 'here', ref, () => isHere)

  it.each([
    ['left by the one before is its heir’s', of(before), false, 'own'],
    ['that the one before still has is waited for', of(before), true, 'before'],
    ['of the other slot is no heir’s', of({ ...before, slot: 'b' }), false, 'foreign'],
    ['of another tenant is no heir’s', of({ ...before, tenant: 'other' }), false, 'foreign'],
    ['made by the StatefulSet itself has no uid, and is its own', withoutUid(), true, 'own'],
  ])('%s', (_, object, isHere, whose) => {
    expect(owner(object, isHere)).toBe(whose)
  })
})

function withoutUid(): KubeObject {
  const { 'gantry.dev/uid': _, ...labels } = ownerLabels('here', ref)
  return labelled(labels)
}
