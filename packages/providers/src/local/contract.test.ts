import { providerContract } from '../contract/provider-contract.ts'
import { skipped } from '../contract/skipped.ts'
import { sourceCases } from '../contract/source-cases.ts'
import { trafficCases } from '../contract/traffic-cases.ts'
import { localHarness } from '../testing/local-harness.ts'

const noImages = 'services on this engine are programs of the machine: there are no images'

const skips = {
  ...skipped(trafficCases, 'a workload has no address here but at the edge'),
  ...skipped(sourceCases, 'programs of the machine come from neither manifests nor charts'),
  'gives a service the graphics processors it asks for': 'graphics processors are not given to single processes',
  'fails a provision whose image cannot be had, in the words of whoever refused it': noImages,
  'honours services[].image, or refuses it with its path before anything is touched': noImages,
  'honours services[].imagePullPolicy, or refuses it with its path before anything is touched': noImages,
  'honours services[].imagePullSecret, or refuses it with its path before anything is touched': noImages,
  'runs what a moved tag means now': noImages,
  'runs the entrypoint of a new image, not that of the old one': noImages,
  'restores the image of a release': noImages,
  'brings back the very image that a release ran, also when its tag has moved since': noImages,
}

providerContract('local', () => localHarness(), { skips, concurrent: true })
