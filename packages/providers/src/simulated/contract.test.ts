import { providerContract } from '../contract/provider-contract.ts'
import { simulatedHarness } from '../testing/simulated-harness.ts'

providerContract('simulated', () => simulatedHarness(), {
  skips: {
    'splits traffic between slots as it is told, where the engine does that itself':
      'the simulated engine has no traffic of its own: weights are the edge’s',
  },
})
