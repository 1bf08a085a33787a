import { describe, expect, it } from 'vitest'
import { label } from '../../labels.ts'
import type { Deployment, StatefulSet } from '../api/types/workloads.ts'
import { annotation } from '../observe/record.ts'
import { planInstance } from './instance.ts'
import type { InstancePlan } from './planned.ts'
import { readTemplateInputs, templateInputsOf } from './template-inputs.ts'
import { corpus } from './testing/corpus.ts'
import { desiredOf, settings, web } from './testing/desired.ts'

const templateOf = ({ workload }: InstancePlan) => (workload.body as Deployment | StatefulSet).spec.template
const keptOf = ({ workload }: InstancePlan) =>
  readTemplateInputs(workload.body.metadata.annotations?.[annotation.template])
const fixedOf = ({ workload }: InstancePlan) => workload.body.metadata.annotations?.[annotation.fixed]

describe('a pod template', () => {
  it.each([...corpus])('of %s is the same, letter by letter, when it is planned again', (_, desired) => {
    const once = planInstance(desired, settings)
    const again = planInstance(desired, settings, keptOf(once))
    expect(JSON.stringify(again)).toBe(JSON.stringify(once))
  })

  it('stays as it was while its spec is the same, whatever is changed around it', () => {
    const services = [{ ...web, ports: [{ name: 'http', port: 80 }] }]
    const before = planInstance(desiredOf({ services }, { labels: { team: 'old' } }), settings)
    const after = planInstance(
      desiredOf(
        { services, replicas: 5, stopGraceSeconds: 99, expose: 'node', restart: { maxPerHour: 1 } },
        { labels: { team: 'new', more: 'yes' }, release: 'r2' },
      ),
      { ...settings, drainSeconds: 1, imagePullSecrets: ['x'], labels: { all: 'ours' }, storageClass: 'slow' },
      keptOf(before),
    )
    expect(templateOf(after)).toEqual(templateOf(before))
    expect(fixedOf(after)).toBe(fixedOf(before))
    expect(after.workload.body.metadata.labels).toMatchObject({ team: 'new', all: 'ours', [label.release]: 'r2' })
    expect(keptOf(after)).toEqual(keptOf(before))
  })

  it('takes on what was changed around it with the next spec', () => {
    const before = planInstance(desiredOf({}, { labels: { team: 'old' } }), settings)
    const next = desiredOf(
      { services: [{ ...web, env: { A: '1' } }], stopGraceSeconds: 99 },
      { labels: { team: 'new' } },
    )
    const after = planInstance(next, settings, keptOf(before))
    expect(templateOf(after).metadata.labels).toMatchObject({ team: 'new', [label.specHash]: next.specHash })
    expect(templateOf(after).spec.terminationGracePeriodSeconds).toBe(99)
  })

  it('keeps what a StatefulSet cannot change, while the claims themselves grow', () => {
    const sized = (size: string) => ({
      type: 'stateful_set' as const,
      services: [{ ...web, volumes: [{ name: 'data', path: '/data', size }] }],
    })
    const before = planInstance(desiredOf(sized('1Gi')), settings)
    const after = planInstance(desiredOf(sized('2Gi')), settings, keptOf(before))
    expect(fixedOf(after)).toBe(fixedOf(before))
    const set = after.workload.body as StatefulSet
    expect(set.spec.volumeClaimTemplates?.[0]?.spec.resources.requests.storage).toBe('1Gi')
    expect(after.claims[0]?.body).toMatchObject({ spec: { resources: { requests: { storage: '2Gi' } } } })
    expect(fixedOf(planInstance(desiredOf(sized('2Gi')), settings))).not.toBe(fixedOf(before))
  })
})

describe('what a template was made with', () => {
  const good = templateInputsOf(desiredOf(), settings)

  it('is read as it was written', () => {
    expect(readTemplateInputs(JSON.stringify(good))).toEqual(good)
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'x'],
    ['a list', []],
    ['a missing hash', { ...good, specHash: undefined }],
    ['labels that are none', { ...good, labels: { a: 1 } }],
    ['a grace of less than nothing', { ...good, stopGraceSeconds: -1 }],
    ['accounts that are none', { ...good, imagePullSecrets: [{}] }],
    ['a claim without a size', { ...good, claims: { data: {} } }],
    ['a claim of a size that is none', { ...good, claims: { data: { size: 'large' } } }],
  ])('is as good as not there where somebody has made it %s', (_, value) => {
    expect(readTemplateInputs(JSON.stringify(value))).toBeUndefined()
  })

  it('is not JSON', () => {
    expect(readTemplateInputs('{')).toBeUndefined()
    expect(readTemplateInputs(undefined)).toBeUndefined()
  })

  it('waits before no stop where the cluster cannot', () => {
    const at = (minor: number) => templateInputsOf(desiredOf(), { ...settings, serverVersion: { minor } }).drainSeconds
    expect([at(29), at(30)]).toEqual([0, 6])
  })
})
