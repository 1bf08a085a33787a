import { engineStatus } from '@gantry/engines'
import { describe, it } from 'vitest'
import { type KubernetesSystem, startKubernetesSystem } from '../testing/zero-failed/kubernetes-system.ts'
import { zeroFailedRequests } from '../testing/zero-failed/suite.ts'

const { state, why = 'no reason is given' } = await engineStatus('kubernetes', { signal: AbortSignal.timeout(900_000) })

if (state === 'missing') {
  describe('no request fails on kubernetes', () => {
    it('on a real engine', ({ skip }) => skip(why))
  })
} else {
  let system: KubernetesSystem | undefined
  const started = (): KubernetesSystem => {
    if (!system) throw new Error('there is no system yet')
    return system
  }
  zeroFailedRequests('kubernetes', {
    make: async () => {
      system = await startKubernetesSystem()
      return system
    },
    web: (options) => started().web(options),
    // Through the edge, and from this machine by the cluster's own addresses, which kube-proxy leads to pods.
    beside: (name) => started().service(name),
    // A whole cluster has to do its work on the cores that the load would take.
    breathMs: 10,
  })
}
