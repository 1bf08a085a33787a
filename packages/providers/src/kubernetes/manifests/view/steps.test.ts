import { describe, expect, it } from 'vitest'
import type { Observed } from '../../../observed.ts'
import { scopesOf } from '../confine.ts'
import { confined } from '../manifests.ts'
import { readSet } from '../read/read-set.ts'
import { setSteps } from './steps.ts'

const text = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: other}}
---
{apiVersion: v1, kind: Secret, metadata: {name: web}}
`

function observed(names: readonly string[], specHash: string, drift: readonly string[] = []): Observed {
  const service = { role: 'sidecar', phase: 'running', ready: true, restarts: 0, engineId: 'id' } as const
  const services = Object.fromEntries(names.map((name) => [name, service]))
  const replica = {
    engineId: 'e',
    index: 0,
    release: 'r0',
    specHash,
    ready: true,
    terminating: false,
    services,
    endpoints: [],
  }
  const ref = { tenant: 't', workload: 'w', uid: 'u', slot: 'a' } as const
  return { ref, replicas: [replica], endpoints: [], drift, notEnforced: [], at: new Date(0) }
}

function steps(seen: Observed | undefined, wanted = true): string[] {
  const { objects } = readSet(text)
  const where = { place: { tenant: 't', namespace: 'home', allow: confined }, scopeOf: scopesOf(objects) }
  const set = wanted ? { objects, release: 'r1', specHash: 'h1' } : undefined
  return setSteps(set, seen, where).map(
    ({ verb, object, engineId }) => `${verb} ${object}${engineId ? ` ${engineId}` : ''}`,
  )
}

describe('what would be done', () => {
  it.each<[string, Observed | undefined, string[]]>([
    ['to nothing', undefined, ['create other.configmap/web', 'create secret/web', 'create deployment/web']],
    ['to what is as it should be', observed(['secret/web', 'other.configmap/web', 'deployment/web'], 'h1'), []],
    [
      'to what somebody has changed',
      observed(['secret/web', 'other.configmap/web', 'deployment/web'], 'h1', ['secret/web']),
      ['change secret/web id'],
    ],
    [
      'to another release',
      observed(['secret/web', 'deployment/old'], 'h0'),
      ['create other.configmap/web', 'change secret/web id', 'create deployment/web', 'remove deployment/old id'],
    ],
  ])('%s', (_, seen, expected) => {
    expect(steps(seen)).toEqual(expected)
  })

  it('to what is to go: everything, the last first', () => {
    expect(steps(observed(['secret/web', 'deployment/web'], 'h1'), false)).toEqual([
      'remove deployment/web id',
      'remove secret/web id',
    ])
    expect(steps(undefined, false)).toEqual([])
  })
})
