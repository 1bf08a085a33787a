import type { WorkloadSpec } from '@gantry/core'
import { expect, expectTypeOf, it } from 'vitest'
import type { endpoints } from '../endpoints/table.ts'
import { createClient } from './create-client.ts'

const client = createClient({ server: 'http://127.0.0.1:1', fetch: () => Promise.reject(new Error('never asked')) })
const { workloads, secrets } = client.tenant('shop')

/** Held by the compiler; that it runs at all is beside the point. */
it('knows the type of everything it takes and gives', () => {
  type Got = Awaited<ReturnType<typeof workloads.get>>
  expectTypeOf<Got['spec']>().toEqualTypeOf<WorkloadSpec>()
  expectTypeOf<Got['kind']>().toEqualTypeOf<'Workload'>()
  expectTypeOf<Got['metadata']['generation']>().toEqualTypeOf<number>()
  expectTypeOf<Got['status']['readyReplicas']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<Awaited<ReturnType<typeof secrets.get>>['spec']['keys']>().toEqualTypeOf<string[]>()

  type Put = Parameters<typeof workloads.put>[0]
  expectTypeOf<NonNullable<Put['spec']['services']>[number]['name']>().toEqualTypeOf<string>()
  expectTypeOf<Put['spec']['replicas']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<{ replica: number }>().not.toExtend<Put['spec']>()
  expectTypeOf<Parameters<typeof secrets.put>[0]>().not.toExtend<Put>()

  type Patch = Parameters<typeof workloads.patch>[1]
  expectTypeOf<{ spec: { provider: null; replicas: 2 } }>().toExtend<Patch>()
  expectTypeOf<{ spec: { replicas: 'two' } }>().not.toExtend<Patch>()

  type Change = NonNullable<Awaited<ReturnType<ReturnType<typeof workloads.watch>['next']>>['value']>
  expectTypeOf<Extract<Change, { type: 'gone' }>['object']>().toEqualTypeOf<Got>()

  expectTypeOf(client.workloads).not.toHaveProperty('put')
  expectTypeOf(client.tenants).toHaveProperty('put')
  expectTypeOf(client.tenant('shop')).not.toHaveProperty('tenants')
  expectTypeOf(secrets).toHaveProperty('putData')
  expectTypeOf(secrets).not.toHaveProperty('getData')

  type Given = Parameters<typeof client.call<typeof endpoints.workloads.read>>[1]
  expectTypeOf<Given['params']>().toEqualTypeOf<{ tenant: string; name: string }>()
  expect(client.server).toBe('http://127.0.0.1:1')
})
