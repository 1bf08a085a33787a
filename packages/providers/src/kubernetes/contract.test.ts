import { describe, it } from 'vitest'
import { providerContract } from '../contract/provider-contract.ts'
import { kubernetesHarness } from '../testing/kubernetes-harness.ts'
import { kubernetesRig } from '../testing/kubernetes-rig.ts'

const rig = await kubernetesRig()

const skips = {}

if ('missing' in rig) {
  describe('kubernetes keeps the provider contract', () => {
    it('on a real cluster', ({ skip }) => skip(rig.missing))
  })
} else providerContract('kubernetes', () => kubernetesHarness(rig), { skips, concurrent: true, timeoutMs: 300_000 })
