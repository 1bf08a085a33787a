import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryWorkloadDocument } from '../../testing/arbitrary-workload.ts'
import { everyField } from '../../testing/every-field.ts'
import { parseObjects } from '../parse-objects.ts'
import { parseObject } from '../registry.ts'
import { type WorkloadStatus, workloadKind } from './workload.ts'

const least = (spec: object = {}) => ({
  apiVersion: 'gantry/v1',
  kind: 'Workload',
  metadata: { name: 'hello' },
  spec: { services: [{ name: 'web' }], ...spec },
})

describe('a workload', () => {
  it('may have every field there is', () => {
    const [workload] = parseObjects(everyField)
    expect(workload).toMatchObject({
      kind: 'Workload',
      metadata: { name: 'hello', tenant: 'shop', labels: { team: 'web' } },
      spec: {
        services: [
          { env: { GREETING: 'hello', WORKERS: '4', DEBUG: 'false' }, resources: { cpu: '250m', memory: '64Mi' } },
          { name: 'migrate', role: 'init' },
        ],
      },
    })
  })

  it('needs no more than the name of a service, and is complete all the same', () => {
    expect(workloadKind.parse(least()).spec).toEqual({
      type: 'deployment',
      replicas: 1,
      run: 'running',
      services: [
        {
          name: 'web',
          role: 'main',
          imagePullPolicy: 'if_not_present',
          command: [],
          args: [],
          env: {},
          ports: [],
          resources: { gpu: { count: 0, type: '' }, bestEffort: false },
          requests: {},
          volumes: [],
          configFiles: [],
          secrets: [],
          dependsOn: [],
          annotations: {},
        },
      ],
      dependsOn: [],
      restart: { policy: 'always', maxPerHour: 20 },
      strategy: {
        type: 'rolling',
        maxSurge: 1,
        maxUnavailable: 0,
        minReadySeconds: 2,
        progressDeadlineSeconds: 120,
        onFailure: 'rollback',
      },
      stopGraceSeconds: 10,
      expose: 'none',
      engine: {},
    })
  })

  it('can be read again from what was read, and is the same', () => {
    fc.assert(
      fc.property(arbitraryWorkloadDocument, (document) => {
        const once = parseObject(document)
        expect(parseObject(JSON.parse(JSON.stringify(once)))).toEqual(once)
      }),
      { numRuns: 200 },
    )
  })

  it('does not change the object it was read from', () => {
    const document = least()
    const before = structuredClone(document)
    workloadKind.parse(document)
    expect(document).toEqual(before)
  })

  it('has a table to be shown in', () => {
    const { spec } = workloadKind.parse(least({ replicas: 3, provider: 'local' }))
    const metadata = { name: 'hello', uid: 'u', labels: {}, annotations: {}, generation: 1, resourceVersion: 1 }
    const rest = { ownerRefs: [], finalizers: [], createdAt: '2026-01-01T00:00:00Z' }
    const object = { apiVersion: 'gantry/v1' as const, kind: 'Workload', metadata: { ...metadata, ...rest }, spec }
    const row = (status: WorkloadStatus) => workloadKind.columns.map(({ value }) => value({ ...object, status }))
    expect(row({ state: 'running', readyReplicas: 2, restarts: 5, release: 4 })).toEqual([
      'running',
      '2/3',
      '5',
      'v4',
      'deployment',
      'local',
      'rolling',
    ])
    expect(row({}).slice(0, 3)).toEqual(['unknown', '?/3', '-'])
  })

  it('is unknown in its table while nobody can look, and says since when', () => {
    const { spec } = workloadKind.parse(least({ replicas: 3 }))
    const since = '2026-01-01T00:00:00Z'
    const conditions = [{ type: 'Ready', status: 'Unknown' as const, reason: 'blind', message: 'gone', since }]
    const object = {
      metadata: { name: 'hello' },
      spec,
      status: { state: 'running' as const, readyReplicas: 3, conditions },
    }
    const [state, ready] = workloadKind.columns
    expect(state?.value(object as never)).toBe('unknown')
    expect(state?.since?.(object as never)).toBe(since)
    expect(ready?.value(object as never)).toBe('?/3')
  })
})
