import type { GantryObject } from '@gantry/core'
import type { Observed } from '@gantry/providers'
import { describe, expect, it } from 'vitest'
import { RoutedNews } from './routed-news.ts'

const ref = { tenant: 'shop', workload: 'web', uid: 'u1', slot: 'a' } as const

function instance(restarts: number, ready = true): Observed {
  const services = { web: { role: 'main', phase: 'running', ready, restarts } } as const
  const replica = { engineId: 'r1', index: 0, release: 'v1', specHash: 'h', ready, terminating: false }
  const replicas = [{ ...replica, services, endpoints: [] }]
  return { ref, replicas, endpoints: [], drift: [], notEnforced: [], at: new Date(restarts) }
}

const changed = (restarts: number, ready?: boolean) =>
  ({ type: 'changed', instance: instance(restarts, ready) }) as const

function stored(kind: string, status: object, metadata: object = {}): GantryObject {
  const common = { name: 'web', tenant: 'shop', uid: 'u1', generation: 1 }
  return { apiVersion: 'gantry/v1', kind, metadata: { ...common, ...metadata }, spec: {}, status } as never
}

describe('what is seen on an engine', () => {
  it('is news when it is first seen, and again when somebody else is to get requests', () => {
    const news = new RoutedNews()
    expect(news.onEngine('here', changed(0))).toBe(true)
    expect(news.onEngine('here', changed(1))).toBe(false)
    expect(news.onEngine('here', changed(1, false))).toBe(true)
    expect(news.onEngine('there', changed(1, false))).toBe(true)
  })

  it('is news whenever nobody knows how much of it is', () => {
    const news = new RoutedNews()
    const at = new Date(0)
    news.onEngine('here', changed(0))
    for (const seen of [
      { type: 'snapshot', instances: [instance(0)], at },
      { type: 'blind', fault: new Error('away') as never, at },
      { type: 'gone', ref, at },
    ] as const) {
      expect(news.onEngine('here', seen)).toBe(true)
    }
    expect(news.onEngine('here', changed(0))).toBe(true)
  })
})

describe('what is written down', () => {
  it('is news of a workload when it is another, or says something else of itself', () => {
    const news = new RoutedNews()
    const ready = (status: string, restarts: number) => ({
      restarts,
      conditions: [{ type: 'Ready', status, message: '' }],
    })
    const told = [
      stored('Workload', ready('False', 0)),
      stored('Workload', ready('False', 1)),
      stored('Workload', ready('True', 1)),
      stored('Workload', ready('True', 2), { generation: 2 }),
      stored('Workload', { ...ready('True', 2), stable: 'b' }, { generation: 2 }),
    ].map((object) => news.inStore(object))
    expect(told).toEqual([true, false, true, true, true])
  })

  it('is news of an instance only as far as it says who can be asked', () => {
    const news = new RoutedNews()
    const { replicas } = instance(0)
    expect(news.inStore(stored('Instance', { replicas }))).toBe(true)
    expect(news.inStore(stored('Instance', { replicas: instance(1).replicas, settled: true }))).toBe(false)
    expect(news.inStore(stored('Instance', { replicas: [] }))).toBe(true)
    news.gone({ kind: 'Instance', tenant: 'shop', name: 'web' })
    expect(news.inStore(stored('Instance', { replicas: [] }))).toBe(true)
  })

  it('is news of everything else', () => {
    const news = new RoutedNews()
    const route = stored('Route', {})
    expect([news.inStore(route), news.inStore(route)]).toEqual([true, true])
  })
})
