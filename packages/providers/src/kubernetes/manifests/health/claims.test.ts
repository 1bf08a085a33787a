import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../api/types/meta.ts'
import { selectedNode, unusedClaim } from './claims.ts'
import { healthOf } from './health.ts'

const classOf = (name: string, volumeBindingMode: string) =>
  ({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name }, volumeBindingMode }) as KubeObject
const classes = [classOf('late', 'WaitForFirstConsumer'), classOf('at-once', 'Immediate')]

const claim = (storageClassName: string | undefined, more: { annotations?: object; phase?: string } = {}) =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', annotations: more.annotations },
    spec: { storageClassName },
    status: { phase: more.phase ?? 'Pending' },
  }) as unknown as KubeObject

describe('a claim that has no volume yet', () => {
  it.each([
    ['whose class makes it for the first pod, and none came', claim('late'), 'ready'],
    [
      'whose class makes it for the first pod, which has come',
      claim('late', { annotations: { [selectedNode]: 'n' } }),
      'waiting',
    ],
    ['whose class makes it at once', claim('at-once'), 'waiting'],
    ['whose class nobody knows', claim('other'), 'waiting'],
    ['without a class', claim(undefined), 'waiting'],
    ['and lost the one that it had', claim('late', { phase: 'Lost' }), 'failed'],
    ['but has one after all', claim('late', { phase: 'Bound' }), 'ready'],
  ])('%s, is %s', (_, object, state) => {
    expect(unusedClaim(healthOf(object), object, classes).state).toBe(state)
  })

  it('says when it gets one', () => {
    const object = claim('late')
    expect(unusedClaim(healthOf(object), object, classes).message).toBe('it gets its volume when the first pod uses it')
  })
})
