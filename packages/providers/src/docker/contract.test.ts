import { describe, it } from 'vitest'
import { providerContract } from '../contract/provider-contract.ts'
import { dockerHarness } from '../testing/docker-harness.ts'
import { dockerRig } from '../testing/docker-rig.ts'

const rig = await dockerRig()

const skips = {
  'gives a service the graphics processors it asks for':
    'the engine of the rig has no runtime for graphics processors, and refuses them for that',
}

if ('missing' in rig) {
  describe('docker keeps the provider contract', () => {
    it('on a real engine', ({ skip }) => skip(rig.missing))
  })
} else providerContract('docker', () => dockerHarness(rig), { skips, concurrent: true, timeoutMs: 300_000 })
