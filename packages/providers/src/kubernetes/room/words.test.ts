import { describe, expect, it } from 'vitest'
import type { EventObject } from '../observe/objects.ts'
import { roomWords } from './words.ts'

const event = (component: string, reason: string, second: number, more: Partial<EventObject> = {}): EventObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: `${reason}-${second}`, namespace: 'n' },
  involvedObject: { kind: 'Pod', uid: 'u' },
  reason,
  message: `${component} says ${reason}`,
  lastTimestamp: new Date(second * 1000).toISOString(),
  source: { component },
  ...more,
})

const wordOf = (...events: EventObject[]) => roomWords(events).get('u')

describe('what an autoscaler says of a pod', () => {
  it.each<[string, EventObject[], boolean | undefined]>([
    ['cluster-autoscaler has asked for a node', [event('cluster-autoscaler', 'TriggeredScaleUp', 1)], true],
    ['karpenter has one in mind', [event('karpenter', 'Nominated', 1)], true],
    ['no node would help', [event('cluster-autoscaler', 'NotTriggerScaleUp', 1)], false],
    ['the node that was asked for cannot be had', [event('cluster-autoscaler', 'FailedScaleUp', 1)], false],
    ['karpenter knows of no node either', [event('karpenter', 'FailedScheduling', 1)], false],
    ['something else', [event('cluster-autoscaler', 'ScaleDown', 1)], undefined],
    ['nothing of this pod', [event('karpenter', 'Nominated', 1, { involvedObject: { uid: 'other' } })], undefined],
    [
      'first no, then yes',
      [event('cluster-autoscaler', 'TriggeredScaleUp', 2), event('cluster-autoscaler', 'NotTriggerScaleUp', 1)],
      true,
    ],
    [
      'first yes, then no',
      [event('cluster-autoscaler', 'NotTriggerScaleUp', 2), event('cluster-autoscaler', 'TriggeredScaleUp', 1)],
      false,
    ],
    [
      'yes by one, later no by another',
      [event('karpenter', 'Nominated', 1), event('cluster-autoscaler', 'NotTriggerScaleUp', 2)],
      true,
    ],
    [
      'no at first, yes by a later time of the same',
      [
        event('karpenter', 'FailedScheduling', 2),
        event('karpenter', 'Nominated', 1, { series: { lastObservedTime: new Date(3000).toISOString() } }),
      ],
      true,
    ],
  ])('%s', (_, events, coming) => {
    expect(wordOf(...events)?.coming).toBe(coming)
  })

  it('is told in its own words', () => {
    expect(wordOf(event('karpenter', 'Nominated', 1))).toEqual({ coming: true, message: 'karpenter says Nominated' })
  })
})
