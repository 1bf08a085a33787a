import { describe, expect, it } from 'vitest'
import { isFault } from '../fault.ts'
import { parseObjects } from './parse-objects.ts'
import type { WorkloadSpec } from './workload/spec.ts'

const workload = (name: string, spec = 'services: [{ name: web }]') =>
  `apiVersion: gantry/v1\nkind: Workload\nmetadata:\n  name: ${name}\nspec:\n  ${spec}\n`

function issuesOf(text: string) {
  try {
    parseObjects(text)
  } catch (error) {
    if (isFault(error, 'invalid')) return error.issues
    throw error
  }
  throw new Error('it was accepted')
}

describe('a file of objects', () => {
  it('is read whole', () => {
    const objects = parseObjects(`${workload('a')}---\n${workload('b')}---\n`)
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
  })

  it('has every offending field of every document told at once, each with its line', () => {
    const text = `${workload('A')}---\n${workload('b', 'replica: 1')}---\nkind: Pod\n---\n${workload('c')}`
    expect(issuesOf(text).map(({ path, line }) => [path, line])).toEqual([
      ['metadata.name', 4],
      ['spec.replica', 13],
      ['spec.services', 12],
      ['kind', 15],
    ])
  })

  it('keeps the values of an environment as they were written', () => {
    const env = 'env: { A: 3.10, B: 1e3, C: 012, D: True, E: 0x1F, F: "x", G: 9007199254740993 }'
    const [object] = parseObjects(workload('a', `services: [{ name: web, ${env}, resources: { cpu: 1.0 } }]`))
    const spec = object?.spec as WorkloadSpec | undefined
    const web = spec?.services[0]
    expect(web?.env).toEqual({ A: '3.10', B: '1e3', C: '012', D: 'True', E: '0x1F', F: 'x', G: '9007199254740993' })
    expect(web?.resources.cpu).toBe('1')
  })

  it('does not have one object twice', () => {
    expect(issuesOf(`${workload('a')}---\n${workload('b')}---\n${workload('a')}`)).toEqual([
      { path: 'metadata.name', message: 'is there twice', line: 18 },
    ])
  })

  it('is told to be empty if it is', () => {
    expect(() => parseObjects('# nothing\n')).toThrow(expect.objectContaining({ reason: 'bad_document' }))
  })
})
