/** A few of the deaths that `npm run harness -- --engine docker` tries: there are over a thousand, and each takes its seconds. */
import { engineStatus } from '@gantry/engines'
import { testedDocker } from '@gantry/providers/testing'
import { describe, it } from 'vitest'
import { namedDeaths } from '../testing/harness/named-deaths.ts'

const { state, why = 'no reason is given' } = await engineStatus(testedDocker, { signal: AbortSignal.timeout(900_000) })

if (state === 'missing') {
  describe('a death in the middle of anything (docker)', () => {
    it('on a real engine', ({ skip }) => skip(why))
  })
} else {
  // In one life, of which no step is without a death.
  namedDeaths('docker', [
    'create: docker.containers.start after #1: server',
    'deploy canary: docker.containers.start after #1: daemon',
    'rollback canary: docker.volumes.remove before #1: daemon',
    'deploy rolling: docker.containers.create after #1: server',
    'rollback rolling: docker.containers.putArchive after #1: server',
    'delete: docker.containers.remove after #1: server',
  ])
}
