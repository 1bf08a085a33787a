import { Fault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import type { KubernetesApi } from './api/api.ts'
import { splitsStreams } from './logs.ts'

const call = { signal: new AbortController().signal }

/** A server that answers so when it is asked for one stream of a pod that is not there. */
const answering = (fault: Fault): KubernetesApi =>
  ({ pods: { logs: () => Promise.reject(fault) } }) as unknown as KubernetesApi

describe('whether a cluster can tell the two streams of a log apart', () => {
  const unknown = new Fault('engine_object_not_found', 'no such pod')

  it.each<[string, number, Fault, boolean]>([
    ['it can where it looked for the pod', 34, unknown, true],
    ['it cannot where it refuses the question', 34, new Fault('engine_rejected', 'may not be specified'), false],
    ['nobody knows where logs may not be read', 34, new Fault('engine_forbidden', 'no'), false],
    ['it cannot where it is too old to know of it, though it looks for the pod', 31, unknown, false],
  ])('%s', async (_, minor, fault, expected) => {
    expect(await splitsStreams(answering(fault), minor, call)).toBe(expected)
  })

  it('is no answer of a server that is away', async () => {
    const away = new Fault('engine_unreachable', 'away')
    await expect(splitsStreams(answering(away), 34, call)).rejects.toBe(away)
  })
})
