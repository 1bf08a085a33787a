import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { workloadFields } from '../kinds/workload/spec.ts'
import { workloadKind } from '../kinds/workload/workload.ts'
import { arbitraryWorkloadDocument } from '../testing/arbitrary-workload.ts'
import { asWritten } from './as-written.ts'
import { diff } from './diff.ts'
import { merge3 } from './merge3.ts'

describe('what the user wrote', () => {
  it('has the words of the parsed value and nothing more', () => {
    const raw = { services: [{ name: 'web', role: '', resources: { cpu: 0.5 }, env: { A: 1 }, image: undefined }] }
    expect(asWritten(raw, workloadFields.parse(raw))).toEqual({
      services: [{ name: 'web', role: 'main', resources: { cpu: '500m' }, env: { A: '1' } }],
    })
  })

  it('parses to the same workload, and so can be kept in place of it', () => {
    fc.assert(
      fc.property(arbitraryWorkloadDocument, (document) => {
        const parsed = workloadKind.parse(document)
        const written = asWritten(document.spec, parsed.spec)
        expect(workloadKind.parse({ ...document, spec: written }).spec).toEqual(parsed.spec)
      }),
      { numRuns: 200 },
    )
  })

  it('applied again after an action reverts nothing that it did not say', () => {
    fc.assert(
      fc.property(arbitraryWorkloadDocument, ({ spec, ...rest }) => {
        const { replicas, ...file } = spec
        const live = workloadKind.parse({ ...rest, spec: { ...file, replicas: 7 } }).spec
        fc.pre(workloadKind.check({ ...rest, spec: file }).length === 0)
        const written = asWritten(file, workloadKind.parse({ ...rest, spec: file }).spec)
        const { value, reverts } = merge3(written, written, live, { variants: ['strategy'] })
        expect(reverts).toEqual([])
        expect(diff(live, workloadKind.parse({ ...rest, spec: value }).spec)).toEqual([])
      }),
      { numRuns: 100 },
    )
  })
})
