import { expect, it } from 'vitest'
import { capabilities, declaredCapabilities, methodCapabilities, strategyCapability } from './capabilities.ts'
import { strategyTypes } from './kinds/workload/strategy.ts'

it('has the thirteen capabilities of the described contract', () => {
  const described = ['provision', 'deploy', 'scale', 'logs', 'exec', 'volumes', 'gpu', 'strategy:blue-green']
  const more = ['strategy:canary', 'strategy:rolling', 'autoscale', 'custom-domains', 'tls']
  expect(capabilities).toEqual(expect.arrayContaining([...described, ...more]))
})

it('lists each capability once, as one that has a method or one that is declared', () => {
  expect(new Set(capabilities).size).toBe(methodCapabilities.length + declaredCapabilities.length)
})

it('says for every strategy what it asks of a provider', () => {
  expect(Object.keys(strategyCapability).toSorted()).toEqual([...strategyTypes].toSorted())
  const asked = Object.values(strategyCapability).filter((name) => name !== undefined)
  expect(declaredCapabilities).toEqual(expect.arrayContaining(asked))
})
