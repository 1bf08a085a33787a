import { engineStatus } from '@gantry/engines'
import { testedDocker } from '@gantry/providers/testing'
import { describe, it } from 'vitest'
import { dockerWeb, startDockerSystem } from '../testing/zero-failed/docker-system.ts'
import { zeroFailedRequests } from '../testing/zero-failed/suite.ts'

const { state, why = 'no reason is given' } = await engineStatus(testedDocker, { signal: AbortSignal.timeout(900_000) })

if (state === 'missing') {
  describe('no request fails on docker', () => {
    it('on a real engine', ({ skip }) => skip(why))
  })
} else zeroFailedRequests('docker', { make: startDockerSystem, web: dockerWeb })
