/** A few of the deaths that `npm run harness -- --engine kubernetes` tries: there are many, and each takes its seconds. */
import { engineStatus } from '@gantry/engines'
import { describe, it } from 'vitest'
import { namedDeaths } from '../testing/harness/named-deaths.ts'

const { state, why = 'no reason is given' } = await engineStatus('kubernetes', { signal: AbortSignal.timeout(900_000) })

if (state === 'missing') {
  describe('a death in the middle of anything (kubernetes)', () => {
    it('on a real engine', ({ skip }) => skip(why))
  })
} else {
  namedDeaths(
    'kubernetes',
    [
      'create: kubernetes.apply Deployment after #1: server',
      'deploy blue_green: kubernetes.apply Deployment after #1: api',
      'rollback blue_green: kubernetes.delete Deployment after #1: server',
      'delete: kubernetes.delete Deployment after #1: server',
    ],
    [
      'deploy rolling: kubernetes.apply Secret after #1: server',
      'rollback rolling: kubernetes.apply Deployment before #1: api',
    ],
    // Of a set with claims: made, deleted but for what is retained, made again upon that, and deleted whole.
    [
      'create set: kubernetes.apply PersistentVolumeClaim after #1: server',
      'delete set: kubernetes.delete PersistentVolumeClaim before #1: api',
      'create set again: kubernetes.apply StatefulSet after #1: server',
      'delete set and volumes: kubernetes.delete PersistentVolumeClaim after #1: server',
    ],
  )
}
