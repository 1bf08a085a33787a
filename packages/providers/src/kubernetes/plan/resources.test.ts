import { describe, expect, it } from 'vitest'
import { gpuResource, resourcesOf } from './resources.ts'
import { desiredOf, type ServiceInput, web } from './testing/desired.ts'

function resources(more: Partial<ServiceInput>) {
  const [service] = desiredOf({ services: [{ ...web, ...more }] }).services
  return service && resourcesOf(service)
}

describe('what a service may use', () => {
  it.each<[string, Partial<ServiceInput>, object | undefined]>([
    ['nothing said', {}, undefined],
    [
      'limits, which are set aside too',
      { resources: { cpu: '250m', memory: '64Mi' } },
      { limits: { cpu: '250m', memory: '64Mi' }, requests: { cpu: '250m', memory: '64Mi' } },
    ],
    ['what is set aside alone', { requests: { cpu: '50m' } }, { requests: { cpu: '50m' } }],
    [
      'less set aside than the limit',
      { resources: { cpu: 2, memory: '1Gi' }, requests: { cpu: '0.1' } },
      { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '100m', memory: '1Gi' } },
    ],
    [
      'what the node does not count is rounded up',
      { resources: { cpu: '0.0001', memory: '1.5' } },
      { limits: { cpu: '1m', memory: '2' }, requests: { cpu: '1m', memory: '2' } },
    ],
    ['disk', { resources: { disk: '1Gi' } }, { limits: { 'ephemeral-storage': '1Gi' } }],
    ['graphics processors', { resources: { gpu: { count: 2 } } }, { limits: { 'nvidia.com/gpu': '2' } }],
    [
      'others by name',
      { resources: { gpu: { count: 1, type: 'example.com/npu' } } },
      { limits: { 'example.com/npu': '1' } },
    ],
    ['none of them', { resources: { gpu: { count: 0, type: 'a100' } } }, undefined],
    ['processes, which nobody counts', { resources: { pids: 9, bestEffort: true } }, undefined],
  ])('%s', (_, more, expected) => {
    expect(resources(more)).toEqual(expected)
  })

  it('is a resource of nodes only with its domain', () => {
    expect([gpuResource({ type: '' }), gpuResource({ type: 'a/b' }), gpuResource({ type: 'a100' })]).toEqual([
      'nvidia.com/gpu',
      'a/b',
      undefined,
    ])
  })
})
