import { providerContract } from '../contract/provider-contract.ts'
import { overlay } from '../overlay.ts'
import { type Cuttable, cuttable } from '../testing/cuttable.ts'
import { simulatedHarness } from '../testing/simulated-harness.ts'

const skips = {
  'splits traffic between slots as it is told, where the engine does that itself':
    'the simulated engine has no traffic of its own: weights are the edge’s',
}

providerContract('simulated', () => simulatedHarness(), { skips })

/** The same, with the connection cut by the wrapper that any engine can be put in. */
async function wrappedHarness() {
  let line: Cuttable | undefined
  const harness = await simulatedHarness({
    wrapEngine(engine, clock) {
      line = cuttable(engine, clock)
      return line.engine
    },
  })
  return overlay(harness, { cut: async () => line?.cut(), heal: async () => line?.heal() })
}

providerContract('simulated, cut off by wrapping,', wrappedHarness, { skips })
