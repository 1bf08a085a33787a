import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineKind } from './define-kind.ts'
import { commonStatus } from './envelope.ts'
import { workloadKind } from './workload/workload.ts'

const lamp = defineKind({
  kind: 'Lamp',
  plural: 'lamps',
  short: 'lp',
  scope: 'system',
  about: 'Something that shines.',
  spec: z.strictObject({
    colour: z.enum(['red', 'green']).default('red'),
    watts: z.int().min(1),
    spare: z.int().optional(),
  }),
  status: z.strictObject(commonStatus),
  complete: (written) => ({ ...written, spare: written.spare ?? written.watts }),
  rules: [
    ({ watts, spare }) => (spare > watts ? [{ path: ['spare'], message: `must be at most ${watts}` }] : []),
    ({ colour, watts }) => (colour === 'green' && watts > 9 ? [{ path: ['watts'], message: 'is too bright' }] : []),
  ],
  reserved: { 'spec.dimmer': 'dimming comes later' },
  columns: [{ title: 'WATTS', value: ({ spec }) => String(spec.watts) }],
})

const object = (spec: object, metadata: object = {}) => ({
  apiVersion: 'gantry/v1',
  kind: 'Lamp',
  metadata: { name: 'desk', ...metadata },
  spec,
})

describe('an object of a kind', () => {
  it('is checked, completed, and has nothing that only the server may say', () => {
    const written = {
      ...object(
        { watts: 5 },
        { labels: { room: 'a' }, uid: 'u1', generation: 7, resourceVersion: 99, finalizers: ['x'] },
      ),
      status: { observedGeneration: 7 },
    }
    expect(lamp.parse(written)).toEqual({
      apiVersion: 'gantry/v1',
      kind: 'Lamp',
      metadata: { name: 'desk', uid: 'u1', labels: { room: 'a' }, annotations: {} },
      spec: { colour: 'red', watts: 5, spare: 5 },
    })
  })

  it('can be what the server printed, so that it can be edited and applied again', () => {
    const printed = {
      ...object({ watts: 5 }),
      metadata: {
        name: 'desk',
        uid: 'u1',
        labels: {},
        annotations: {},
        generation: 1,
        resourceVersion: 4,
        ownerRefs: [],
        finalizers: [],
        createdAt: '2026-01-01T00:00:00Z',
        deletionRequestedAt: '2026-01-02T00:00:00Z',
      },
      status: { conditions: [] },
    }
    expect(lamp.check(printed)).toEqual([])
  })

  it('tells its name, the first issue and how many more there are', () => {
    expect(() => lamp.parse(object({ watts: 0, colour: 'blue' }))).toThrow(
      expect.objectContaining({
        reason: 'schema',
        message: 'Lamp "desk" is not valid: spec.colour must be one of red, green, not "blue" (and 1 more)',
      }),
    )
  })

  it('belongs to no tenant if its kind does not', () => {
    expect(lamp.check(object({ watts: 5 }, { tenant: 'shop' }))).toEqual([
      { path: 'metadata.tenant', message: 'is not for Lamp, which belongs to no tenant' },
    ])
  })

  it('is asked by every rule', () => {
    expect(lamp.check(object({ watts: 10, spare: 11, colour: 'green' })).map(({ path }) => path)).toEqual([
      'spec.spare',
      'spec.watts',
    ])
  })

  it('is asked by the rules also when a field elsewhere is misspelt', () => {
    const issues = lamp.check(object({ watts: 10, spare: 11 }, { lables: {} }))
    expect(issues.map(({ path }) => path)).toEqual(['metadata.lables', 'spec.spare'])
  })

  it('is not asked by the rules about what a misspelt field beside may have meant', () => {
    const services = [{ name: 'a' }, { name: 'b', rol: 'sidecar' }]
    const input = { apiVersion: 'gantry/v1', kind: 'Workload', metadata: { name: 'x' }, spec: { services } }
    // Without the field there would be two mains, which is not what is wrong.
    expect(workloadKind.check(input).map(({ path }) => path)).toEqual(['spec.services[1].rol'])
  })

  it.each<[unknown, string, RegExp]>([
    [{ ...object({ watts: 1 }), apiVersion: 'v1' }, 'apiVersion', /must be gantry\/v1, not "v1"/],
    [{ ...object({ watts: 1 }), kind: 'lamp' }, 'kind', /must be Lamp, not "lamp"; did you mean "Lamp"/],
    [{ ...object({ watts: 1 }), stats: {} }, 'stats', /did you mean "status"/],
    [object({ watts: 1 }, { name: undefined }), 'metadata.name', /is required/],
    [object({ watts: 1 }, { labels: { 'a b': 'x' } }), 'metadata.labels["a b"]', /letters/],
    [object({ watts: 1 }, { labels: { a: 'x y' } }), 'metadata.labels.a', /letters/],
    [object({ watts: 1 }, { labels: { a: 1 } }), 'metadata.labels.a', /quotes/],
    [object({ watts: 1, dimmer: 1 }), 'spec.dimmer', /reserved: dimming comes later/],
    [{ ...object({ watts: 1 }), spec: undefined }, 'spec', /is required/],
    ['text', '', /must be an object, not "text"/],
  ])('is refused where it is wrong: %j', (input, path, message) => {
    expect(lamp.check(input)).toEqual([{ path, message: expect.stringMatching(message) }])
  })

  it('is not looked at any further if it is no plain data', () => {
    expect(lamp.check(object(JSON.parse('{"__proto__": {"watts": 5}}'))).map(({ path }) => path)).toEqual([
      'spec.__proto__',
    ])
    expect(({} as { watts?: number }).watts).toBeUndefined()
  })
})
