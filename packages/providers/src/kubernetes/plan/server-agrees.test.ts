/** Every object that is planned, sent to a real server, which only says what it would do. */
import { describe, expect, it } from 'vitest'
import { inOwnNamespace } from '../../testing/on-shared-cluster.ts'
import type { KubeObject } from '../api/types/meta.ts'
import { checkDesired } from '../check.ts'
import { changedPlaces } from '../drift.ts'
import { planInstance } from './instance.ts'
import { planWorkloadService } from './service.ts'
import { corpus } from './testing/corpus.ts'
import { settings } from './testing/desired.ts'

const call = { signal: AbortSignal.timeout(900_000) }
const options = { fieldManager: 'gantry', force: true, dryRun: true }

describe('a real server', () => {
  const on = inOwnNamespace()

  it.for([...corpus])('takes every object of %s, and drops no field of it', async ([, desired]) => {
    const here = { ...settings, namespaces: { shared: on.namespace } }
    expect(checkDesired(desired, here)).toEqual([])
    const { config, claims, workload, others } = planInstance(desired, here)
    const service = planWorkloadService(desired, here, ['a'])
    for (const { at, body } of [...config, ...claims, workload, ...others, ...(service ? [service] : [])]) {
      const answer = await on.rig.api.objects.apply<KubeObject>(at, body, options, call)
      expect(changedPlaces(body, answer), `${at.resource.kind} ${at.name}`).toEqual([])
    }
  })
})
