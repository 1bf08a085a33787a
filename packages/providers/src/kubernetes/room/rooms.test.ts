import { Fault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import type { KubernetesApi } from '../api/api.ts'
import { Rooms } from './rooms.ts'

const call = { signal: new AbortController().signal }
const nominated = {
  involvedObject: { uid: 'u' },
  reason: 'Nominated',
  message: 'Pod should schedule on: nodeclaim/n',
  metadata: { name: 'e' },
}

/** Counts what is asked; `forbids`: what this account may not see. */
function cluster({ events = [] as object[], karpenter = false, forbids = [] as string[] } = {}) {
  const asked: string[] = []
  const answer = async <T>(what: string, value: T): Promise<T> => {
    asked.push(what)
    if (forbids.some((each) => what.startsWith(each))) throw new Fault('engine_forbidden', 'no')
    return value
  }
  const api = {
    objects: {
      list: ({ namespace }: { namespace: string }, { fieldSelector }: { fieldSelector: string }) =>
        answer(`list ${namespace} ${fieldSelector}`, { items: fieldSelector.includes('karpenter') ? events : [] }),
      get: ({ name }: { name: string }) => answer(`get ${name}`, undefined),
    },
    raw: (path: string) => answer(`raw ${path}`, karpenter ? {} : undefined),
  } as unknown as KubernetesApi
  const clock = new VirtualClock()
  return { asked, clock, rooms: new Rooms({ api, clock, life: call }) }
}

describe('what autoscalers say', () => {
  it('is asked for once for all pods of a namespace, and known the next time', async () => {
    const { rooms, asked } = cluster({ events: [nominated], karpenter: true })
    for (const uid of ['u', 'v', 'w']) expect(rooms.heard('n', uid)).toEqual({})
    await rooms.ask('other', call)
    expect(asked.filter((each) => each.startsWith('list n '))).toHaveLength(2)
    expect(rooms.heard('n', 'u').word).toEqual({ coming: true, message: nominated.message })
    expect(rooms.heard('n', 'v')).toMatchObject({ autoscaler: 'karpenter' })
    expect(rooms.heard('n', 'v').word).toBeUndefined()
  })

  it('is asked for again when the answer is old, but not which of them there are', async () => {
    const { rooms, asked, clock } = cluster()
    await rooms.ask('n', call)
    rooms.heard('n', 'u')
    rooms.heard('n', 'u')
    expect(asked.filter((each) => each.startsWith('list'))).toHaveLength(2)
    await clock.advance(4000)
    rooms.heard('n', 'u')
    rooms.heard('n', 'v')
    expect(asked.filter((each) => each.startsWith('list'))).toHaveLength(4)
    expect(asked.filter((each) => each.startsWith('raw'))).toHaveLength(1)
  })

  it('is nothing for who may not see it: nobody’s word is waited for then', async () => {
    const { rooms } = cluster({ forbids: ['list', 'get', 'raw'] })
    expect((await rooms.ask('n', call))('u')).toEqual({ lookedAt: expect.any(Number) })
  })
})
