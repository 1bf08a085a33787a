import { providerContract } from '../contract/provider-contract.ts'
import { overlay } from '../overlay.ts'
import { type Cuttable, cuttable } from '../testing/cuttable.ts'
import { simulatedHarness } from '../testing/simulated-harness.ts'

providerContract('simulated', () => simulatedHarness())

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

providerContract('simulated, cut off by wrapping,', wrappedHarness)
