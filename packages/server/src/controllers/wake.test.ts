import { Fault, type ObjectKey } from '@gantry/core'
import type { Observation } from '@gantry/providers'
import { describe, expect, it } from 'vitest'
import type { EngineHub } from '../engines/engine-hub.ts'
import { wakeProviders } from './wake.ts'

const at = new Date(0)
const snapshot: Observation = { type: 'snapshot', instances: [], at }
const blind: Observation = { type: 'blind', fault: new Fault('engine_unreachable', 'lost'), at }

function woken(seen: readonly (readonly [provider: string, seen: Observation])[], known = ['east', 'west']): string[] {
  let tell: Parameters<EngineHub['subscribe']>[0] = () => undefined
  const hub = {
    subscribe(listener: typeof tell) {
      tell = listener
      return () => {
        tell = () => undefined
      }
    },
  } as EngineHub
  const keys: ObjectKey[] = []
  const end = wakeProviders(hub, {
    add: (key) => void keys.push(key),
    knows: ({ name }) => known.includes(name),
  })
  for (const [provider, one] of seen) tell(provider, one)
  end()
  tell('east', snapshot)
  tell('east', blind)
  return keys.map(({ kind, name }) => `${kind} ${name}`)
}

describe('a provider is looked at', () => {
  it('when its engine is seen, lost, and seen again', () => {
    const seen = [snapshot, blind, snapshot].map((one) => ['east', one] as const)
    expect(woken(seen)).toEqual(['Provider east', 'Provider east', 'Provider east'])
  })

  it('but once while it stays lost: each look would bring the next', () => {
    expect(woken([blind, snapshot, snapshot, blind, blind, blind].map((one) => ['east', one] as const))).toEqual([
      'Provider east',
      'Provider east',
    ])
  })

  it('for itself, and not for another or one that is no more', () => {
    expect(
      woken([
        ['east', snapshot],
        ['west', snapshot],
        ['gone', snapshot],
      ]),
    ).toEqual(['Provider east', 'Provider west'])
  })
})
