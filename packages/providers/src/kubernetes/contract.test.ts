import { describe, it } from 'vitest'
import { providerContract } from '../contract/provider-contract.ts'
import { kubernetesHarness } from '../testing/kubernetes-harness.ts'
import { kubernetesRig } from '../testing/kubernetes-rig.ts'

const rig = await kubernetesRig()

const rolls = 'the cluster makes, replaces and removes replicas by itself: none is to be had alone'
const restarts =
  'pods of a Deployment or StatefulSet are always restarted by the kubelet, so other policies are refused'

const skips = {
  'gives a service the graphics processors it asks for': 'the node of the rig has none, so they are refused',
  'makes a replica by its number, once however often it is asked': rolls,
  'stops a replica in its grace, and makes an end of one that ignores it': rolls,
  'removes a replica by the engine’s id, leaves the others, and takes absence for done': rolls,
  'starts again what has failed for good': restarts,
  'tells a crash from a stop': restarts,
  'shows each service, and the worst of them for the whole': restarts,
  'kills the command when the caller leaves':
    'ending a connection kills nothing on Kubernetes, and there is no other way',
}

if ('missing' in rig) {
  describe('kubernetes keeps the provider contract', () => {
    it('on a real cluster', ({ skip }) => skip(rig.missing))
  })
} else providerContract('kubernetes', () => kubernetesHarness(rig), { skips, concurrent: true, timeoutMs: 300_000 })
