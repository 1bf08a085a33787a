/** A hundredth of all the deaths that `npm run harness -- --engine docker` tries: a hundred commits in a row try all. */
import { engineStatus } from '@gantry/engines'
import { describe, it } from 'vitest'
import { sampledDeaths } from '../testing/harness/sampled-deaths.ts'

const { state, why = 'no reason is given' } = await engineStatus('docker', { signal: AbortSignal.timeout(60_000) })

if (state === 'missing') {
  describe('a death in the middle of anything (docker)', () => {
    it('on a real engine', ({ skip }) => skip(why))
  })
} else sampledDeaths('docker')
