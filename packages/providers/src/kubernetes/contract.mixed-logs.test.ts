/** Logs on a cluster that cannot tell the two streams of a container apart, which most cannot yet. */
import { describe, expect, it } from 'vitest'
import { logCases } from '../contract/log-cases.ts'
import { providerContract } from '../contract/provider-contract.ts'
import { skipped } from '../contract/skipped.ts'
import type { FrontRule } from '../testing/api-front.ts'
import { kubernetesHarness } from '../testing/kubernetes-harness.ts'
import { kubernetesRig } from '../testing/kubernetes-rig.ts'
import { mixedLimit } from './logs.ts'

/** As a server says it whose feature gate is off. */
const refusesStream: FrontRule = ({ path, query }) => {
  const [, name = ''] = /\/pods\/([^/]+)\/log$/.exec(path) ?? []
  if (name === '' || !query.has('stream')) return undefined
  const message = `PodLogOptions "${name}" is invalid: stream: Forbidden: may not be specified`
  const causes = [{ reason: 'FieldValueForbidden', message: 'Forbidden: may not be specified', field: 'stream' }]
  return {
    status: 422,
    body: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason: 'Invalid',
      details: { name, kind: 'PodLogOptions', causes },
      code: 422,
    },
  }
}

const rig = await kubernetesRig()
const apart = logCases.filter(({ needs = [] }) => needs.includes('logs:streams'))

if ('missing' in rig) {
  describe('kubernetes with mixed logs keeps the provider contract', () => {
    it('on a real cluster', ({ skip }) => skip(rig.missing))
  })
} else {
  const make = () => kubernetesHarness(rig, {}, refusesStream)
  providerContract('kubernetes with mixed logs', make, {
    groups: ['logs'],
    skips: skipped(apart, mixedLimit),
    concurrent: true,
    timeoutMs: 300_000,
  })

  it('a cluster that mixes logs says so', async () => {
    const harness = await make()
    try {
      const { limits } = await harness.engine.info({ signal: AbortSignal.timeout(60_000) })
      expect(limits).toContain(mixedLimit)
      expect(harness.engine.declares.has('logs:streams')).toBe(false)
    } finally {
      await harness.dispose()
    }
  })
}
