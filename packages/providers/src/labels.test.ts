import { describe, expect, it } from 'vitest'
import { label, labelsOf, refFromLabels } from './labels.ts'

const ref = { tenant: 'acme', workload: 'web', uid: 'u1', slot: 'a' } as const
const desired = { installation: 'here', ref, labels: { team: 'web' }, release: 'r1', specHash: 'h1' }

describe('labels', () => {
  it('carry the user’s and ours, down to replica and service', () => {
    const service = { name: 'api', role: 'main', annotations: { note: 'yes' } } as const
    expect(labelsOf(desired, { replica: 2, service })).toEqual({
      team: 'web',
      note: 'yes',
      [label.installation]: 'here',
      [label.tenant]: 'acme',
      [label.workload]: 'web',
      [label.uid]: 'u1',
      [label.slot]: 'a',
      [label.release]: 'r1',
      [label.specHash]: 'h1',
      [label.replica]: '2',
      [label.service]: 'api',
      [label.role]: 'main',
    })
  })

  it('let nobody take a key of ours, known or not', () => {
    const labels = labelsOf({ ...desired, labels: { [label.uid]: 'stolen', 'gantry.dev/new': 'x' } })
    expect(labels[label.uid]).toBe('u1')
    expect(labels['gantry.dev/new']).toBeUndefined()
  })

  it('lead back to the instance, for our own installation and whole sets only', () => {
    expect(refFromLabels('here', labelsOf(desired))).toEqual(ref)
    expect(refFromLabels('elsewhere', labelsOf(desired))).toBeUndefined()
    expect(refFromLabels('here', { ...labelsOf(desired), [label.slot]: 'c' })).toBeUndefined()
    expect(refFromLabels('here', { team: 'web' })).toBeUndefined()
  })
})
