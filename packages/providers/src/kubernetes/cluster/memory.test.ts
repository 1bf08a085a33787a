import { describe, expect, it } from 'vitest'
import type { ContainerSeen, PodSeen } from '../observe/seen.ts'
import { ended, pod, running, trimming, waiting } from '../observe/testing/objects.ts'
import { podSeen } from '../observe/trim.ts'
import { Ends } from './ends.ts'
import { PodIndexes } from './pod-indexes.ts'

const seen = (name: string, createdAt: number, ordinal?: number): PodSeen => {
  const trimmed = podSeen(pod({ name }), trimming)
  if (!trimmed) throw new Error('not ours')
  return { ...trimmed, createdAt, ordinal }
}

describe('numbers of replicas', () => {
  const numbers = (indexes: PodIndexes, pods: readonly PodSeen[]) => {
    const given = indexes.of(pods)
    return pods.map(({ uid }) => given.get(uid))
  }

  it('stay while their pod does, and the lowest that is free is given next', () => {
    const indexes = new PodIndexes()
    const [one, two, three, four] = [seen('a', 1), seen('b', 2), seen('c', 3), seen('d', 4)]
    expect(numbers(indexes, [one, two])).toEqual([0, 1])
    expect(numbers(indexes, [two, three])).toEqual([1, 0])
    expect(numbers(indexes, [four, three, two])).toEqual([2, 0, 1])
  })

  it('go by age where nobody remembers, and by name within a second', () => {
    expect(numbers(new PodIndexes(), [seen('b', 5), seen('a', 5), seen('z', 1)])).toEqual([2, 1, 0])
  })

  it('are those of a StatefulSet where there is one', () => {
    expect(numbers(new PodIndexes(), [seen('web-2', 1, 2), seen('web-0', 2, 0)])).toEqual([2, 0])
  })
})

describe('ends within an hour', () => {
  const now = 10_000_000
  const withContainer = (container: Parameters<typeof running>[1] & object, createdAt = now - 1000): PodSeen => {
    const trimmed = podSeen(pod({ status: { containerStatuses: [running('web', container)] } }), trimming)
    if (!trimmed) throw new Error('not ours')
    return { ...trimmed, createdAt }
  }
  const end = (at: number) => ({ terminated: { ...ended(1).terminated, finishedAt: new Date(at).toISOString() } })

  it('are as many as it was started again, and one more while it is not', () => {
    const ends = new Ends()
    expect(ends.of(withContainer({}), now)).toEqual({})
    expect(ends.of(withContainer({ state: end(now) }), now)).toEqual({ web: 1 })
    expect(ends.of(withContainer({ restartCount: 1, lastState: end(now) }), now)).toEqual({ web: 1 })
    const backOff: ContainerSeen | undefined = withContainer({
      ...waiting('web', 'CrashLoopBackOff'),
      restartCount: 1,
      lastState: end(now),
    }).containers.web
    expect(backOff?.state).toBe('waiting')
    expect(ends.of(withContainer({ state: end(now + 10), restartCount: 1 }), now + 10)).toEqual({ web: 2 })
    expect(ends.of(withContainer({ restartCount: 2, lastState: end(now + 10) }), now + 3_600_005)).toEqual({ web: 1 })
  })

  it('are only those that can be known of where the pod is older than that', () => {
    const old = now - 7_200_000
    expect(new Ends().of(withContainer({ restartCount: 9, lastState: end(now - 5) }, old), now)).toEqual({ web: 1 })
    expect(new Ends().of(withContainer({ restartCount: 9, lastState: end(old) }, old), now)).toEqual({ web: 0 })
  })
})
