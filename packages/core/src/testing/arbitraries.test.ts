import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseObject, writtenKinds } from '../kinds/registry.ts'
import { workloadKind } from '../kinds/workload/workload.ts'
import { arbitraryDocument, arbitraryWorkload, arbitraryWorkloadDocument } from './arbitraries.ts'

it('makes workloads that are valid, all of them', () => {
  fc.assert(
    fc.property(arbitraryWorkloadDocument, (document) => {
      expect(workloadKind.check(document)).toEqual([])
    }),
    { numRuns: 300 },
  )
})

it('makes objects of every kind that users write, all of them valid', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(arbitraryDocument, (document) => {
      seen.add(parseObject(document).kind)
    }),
    { numRuns: 300 },
  )
  expect([...seen].toSorted()).toEqual(Object.keys(writtenKinds).toSorted())
})

it('makes every sort of workload, or properties would hold for want of cases', () => {
  const seen = new Set<string>()
  for (const { spec } of fc.sample(arbitraryWorkload, 500)) {
    seen.add(spec.type).add(spec.run).add(spec.strategy.type).add(spec.expose).add(spec.restart.policy)
    for (const service of spec.services) {
      seen.add(service.role)
      for (const { type } of service.volumes) seen.add(type)
      for (const [key, value] of Object.entries(service)) {
        if (Array.isArray(value) ? value.length > 0 : value !== undefined) seen.add(`services.${key}`)
      }
      for (const probe of Object.keys(service.healthCheck ?? {})) seen.add(`healthCheck.${probe}`)
    }
  }
  const strategies = ['rolling', 'recreate', 'blue_green', 'canary']
  const volumes = ['persistent', 'ephemeral', 'memory', 'host']
  const probes = ['http', 'tcp', 'grpc', 'command'].map((type) => `healthCheck.${type}`)
  const lists = ['ports', 'volumes', 'configFiles', 'secrets', 'dependsOn', 'command'].map((key) => `services.${key}`)
  const rest = ['deployment', 'stateful_set', 'running', 'stopped', 'main', 'sidecar', 'init', 'load_balancer', 'never']
  expect([...seen]).toEqual(expect.arrayContaining([...strategies, ...volumes, ...probes, ...lists, ...rest]))
})
