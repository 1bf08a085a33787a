import { describe, expect, it } from 'vitest'
import { isName } from '../names.ts'
import { everyField } from '../testing/every-field.ts'
import { instanceName, otherSlot, slots } from './instance/slot.ts'
import { parseObjects } from './parse-objects.ts'
import { madeKinds } from './registry.ts'
import { releaseName } from './release/release.ts'
import { rolloutName } from './rollout/spec.ts'
import { hasEnded, rolloutPhases } from './rollout/status.ts'
import type { WorkloadSpec } from './workload/spec.ts'
import { workloadKind } from './workload/workload.ts'

const spec = parseObjects(everyField)[0]?.spec as WorkloadSpec
const longest = `w${'o'.repeat(39)}`
const object = (kind: string, name: string, of: object) => ({
  apiVersion: 'gantry/v1',
  kind,
  metadata: { name },
  spec: of,
})

describe('what controllers make', () => {
  it('keeps the services of a release as a workload has them', () => {
    const of = { workload: 'web', number: 4, hash: 'a'.repeat(64), secretVersions: { database: 3 }, images: {} }
    const read = madeKinds.Release.parse(object('Release', 'web-v4', { ...of, services: spec.services }))
    expect(read.spec.services).toEqual(spec.services)
  })

  it('keeps a strategy as a workload has it', () => {
    const of = { workload: 'web', number: 4, release: 2, trigger: 'deploy', provider: 'here', type: 'deployment' }
    const read = madeKinds.Rollout.parse(object('Rollout', 'web-r4', { ...of, strategy: spec.strategy }))
    expect(read.spec).toMatchObject({ strategy: spec.strategy, paused: false, promote: 0, resume: 0 })
  })

  it('has names that fit, for the longest name of a workload', () => {
    expect(isName(longest)).toBe(true)
    const names = [releaseName(longest, 999_999_999), rolloutName(longest, 999_999_999), instanceName(longest, 'b')]
    const kinds = Object.values(madeKinds)
    for (const [at, name] of names.entries()) {
      const issues = kinds[at]?.check(object(kinds[at]?.kind ?? '', name, {})) ?? []
      expect(issues.map(({ path }) => path)).not.toContain('metadata.name')
    }
  })

  it('has two slots, and each is the other of the other', () => {
    for (const slot of slots) expect(otherSlot(otherSlot(slot))).toBe(slot)
  })

  it('goes on with a rollout that failed, and with none that ended', () => {
    expect(rolloutPhases.filter(hasEnded)).toEqual(['succeeded', 'rolled_back', 'aborted', 'superseded'])
    expect(hasEnded(undefined)).toBe(false)
  })

  it('leaves what the actions set out of a workload that was never acted on', () => {
    const written = { services: [{ name: 'web' }] }
    const plain = workloadKind.parse(object('Workload', 'web', written)).spec
    for (const field of ['deployStamp', 'restartStamp', 'secretVersions']) expect(plain).not.toHaveProperty(field)
    const acted = { ...written, deployStamp: '2026-01-01', secretVersions: { database: 3 } }
    expect(workloadKind.parse(object('Workload', 'web', acted)).spec).toMatchObject(acted)
  })
})
