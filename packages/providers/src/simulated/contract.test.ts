import { providerContract } from '../contract/provider-contract.ts'
import { skipped } from '../contract/skipped.ts'
import { sourceCases } from '../contract/source-cases.ts'
import { trafficCases } from '../contract/traffic-cases.ts'
import { overlay } from '../overlay.ts'
import { type Cuttable, cuttable } from '../testing/cuttable.ts'
import { simulatedHarness } from '../testing/simulated-harness.ts'

const skips = {
  ...skipped(trafficCases, 'a workload has no address here but at the edge'),
  ...skipped(sourceCases, 'there is nothing here that manifests or charts could be applied to'),
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
