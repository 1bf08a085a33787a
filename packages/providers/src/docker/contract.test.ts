import { describe, it } from 'vitest'
import { providerContract } from '../contract/provider-contract.ts'
import { skipped } from '../contract/skipped.ts'
import { sourceCases } from '../contract/source-cases.ts'
import { trafficCases } from '../contract/traffic-cases.ts'
import { dockerHarness } from '../testing/docker-harness.ts'
import { dockerRig } from '../testing/docker-rig.ts'

const rig = await dockerRig()

const skips = {
  ...skipped(trafficCases, 'a workload has no address here but at the edge'),
  ...skipped(sourceCases, 'Docker knows neither manifests nor charts'),
  'gives a service the graphics processors it asks for':
    'the engine of the rig has no runtime for graphics processors, and refuses them for that',
}

if ('missing' in rig) {
  describe('docker keeps the provider contract', () => {
    it('on a real engine', ({ skip }) => skip(rig.missing))
  })
} else providerContract('docker', () => dockerHarness(rig), { skips, concurrent: true, timeoutMs: 300_000 })
