import { Fault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { overlay } from '../overlay.ts'
import { kubernetesRig } from '../testing/kubernetes-rig.ts'
import { onCluster } from '../testing/on-kubernetes.ts'
import type { KubernetesApi } from './api/api.ts'

const away: KubernetesApi['raw'] = async () => {
  throw new Fault('engine_unreachable', 'Kubernetes refused: service unavailable')
}

const hanging: KubernetesApi['raw'] = (_, { signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

describe('what is said of a cluster', () => {
  it.for([
    ['is away', away],
    ['does not answer', hanging],
  ] as const)('has no metrics where the server for those %s, and all the rest', async ([, raw], { skip }) => {
    const rig = await kubernetesRig()
    if ('missing' in rig) return skip(rig.missing)
    const api = overlay(rig.api, { raw })
    await onCluster(
      rig,
      async ({ harness, kit }) => {
        const { facts, version } = await harness.engine.info(kit.call)
        expect(version).toBe(rig.address.version)
        expect(facts).toMatchObject({ metrics: 'no', nodes: '1 ready of 1' })
      },
      { api },
    )
  })
})
