import { describe, expect, it } from 'vitest'
import { provisioner, storageClass } from './objects.ts'
import { type Claim, isReleased, isWaiting, volumeFor } from './storage.ts'

const claim: Claim = {
  metadata: { name: 'data', namespace: 'shop', uid: 'u1' },
  spec: { storageClassName: storageClass, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } },
}

describe('storage of the rig', () => {
  it('is for claims of its own class that have no volume', () => {
    expect(isWaiting(claim)).toBe(true)
    expect(isWaiting({ ...claim, spec: { ...claim.spec, storageClassName: 'other' } })).toBe(false)
    expect(isWaiting({ ...claim, spec: { ...claim.spec, volumeName: 'pvc-u1' } })).toBe(false)
  })

  it('is a folder by the name of the claim that is bound to it', () => {
    const volume = volumeFor(claim, '/volumes')
    expect(volume.metadata.name).toBe('pvc-u1')
    expect(volume.spec.hostPath.path).toBe('/volumes/pvc-u1')
    expect(volume.spec.capacity).toEqual({ storage: '2Gi' })
    expect(volume.spec.claimRef).toMatchObject({ namespace: 'shop', name: 'data', uid: 'u1' })
  })

  it('goes when it is released, and others’ does not', () => {
    const { metadata } = volumeFor(claim, '/volumes')
    const volume = { metadata: { ...metadata, uid: 'u2' }, status: { phase: 'Released' } }
    expect(volume.metadata.annotations['pv.kubernetes.io/provisioned-by']).toBe(provisioner)
    expect(isReleased(volume)).toBe(true)
    expect(isReleased({ ...volume, status: { phase: 'Bound' } })).toBe(false)
    expect(isReleased({ ...volume, metadata: { name: 'pvc-u1', uid: 'u2' } })).toBe(false)
  })
})
