import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { kubernetesTools } from '@gantry/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goWords } from '../testing/go-words.ts'
import { readSet } from './read-set.ts'

const run = promisify(execFile)
const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'

/** The field x, as the real kubectl reads it without any cluster; `undefined` where it refuses. */
let byKubectl: (text: string) => Promise<unknown>
let folder = ''

const byUs = (text: string): unknown => {
  const { objects, issues } = readSet(head + text)
  return issues.length > 0 ? undefined : (objects[0]?.object.x ?? null)
}

beforeAll(async () => {
  const { kubectl } = await kubernetesTools({ signal: AbortSignal.timeout(900_000) })
  folder = await mkdtemp(join(tmpdir(), 'gantry-yaml-'))
  const env = { PATH: process.env.PATH, HOME: folder }
  byKubectl = async (text) => {
    const file = join(folder, 'one.yaml')
    await writeFile(file, head + text)
    try {
      const { stdout } = await run(kubectl, ['annotate', '--local', '-f', file, 'q=w', '-o', 'json'], { env })
      return (JSON.parse(stdout) as { x?: unknown }).x ?? null
    } catch (error) {
      if (typeof (error as { code?: unknown }).code === 'number') return undefined
      throw error
    }
  }
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('the real kubectl', () => {
  it('takes every plain word for what we take it', async () => {
    const words = Object.keys(goWords.values)
    const text = `x:\n${words.map((word) => `- ${word}\n`).join('')}`
    const theirs = await byKubectl(text)
    expect(theirs).toEqual(Object.values(goWords.values))
    expect(byUs(text)).toEqual(theirs)
  })

  it.each(goWords.refused)('refuses %s, as we do', async (word) => {
    expect(await byKubectl(`x: ${word}\n`)).toBeUndefined()
    expect(byUs(`x: ${word}\n`)).toBeUndefined()
  })

  it.each([
    'x: {on: 1, 012: 2, 1.5: 3, "off": 4, 0x1f: 5, 1e3: 6}',
    'x:\n  <<: {a: 1, b: 2}\n  b: 3',
    'x:\n  b: 3\n  <<: {a: 1, b: 2}',
    'x:\n  <<: [{a: 1}, {a: 2, b: 2}]',
    'y: &q {a: 1}\nx: {<<: *q, c: 1}',
    'y: &q [1, 2]\nx: *q',
    'x: !!str 12',
    'x: !!int "12"',
    'x: !!binary aGk=',
    'x: !!bool yes',
    'x: {a, b: }',
    'x: |\n  on\n  off\nz: 1',
    'x: |-\n  a\n\n  b\n',
    'x: >\n  a\n  b\n\n  c\n',
    'x: "a\\tb\\u00e9 \\\n  c"',
    "x: 'it''s\n  two'",
    'x: a\n  b # not this\n',
    'x: [a, "b", c: d]',
    'x:\n- a\n-\n- - b\n  - c\n',
    'x: {a: [1, 2,], b: {c: d,},}',
    'x: a:b',
    'x: http://a.b/c?d=e#f',
    'x: "{{ not ours }}"',
    'x: - a',
    'x: @a',
    'x: %a',
    'x: a: b',
    'x: {a: b',
    'x:\n\ta: 1',
    'x: *nobody',
    'x: &a {b: *a}',
    'x: {<<: 3}',
    '? [a]\n: 1',
    '~: 1',
  ])('reads as we do: %j', async (text) => {
    expect(byUs(`${text}\n`)).toEqual(await byKubectl(`${text}\n`))
  })
})
