// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a file look like this
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault, isFault } from '@gantry/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { World } from '../world/world.ts'
import { readDocuments } from './documents.ts'

const secret = (name: string) => `apiVersion: gantry/v1\nkind: Secret\nmetadata: { name: ${name} }\nspec: {}\n`

describe('files that a line names', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-documents-'))
    await mkdir(join(folder, 'apps', 'deep'), { recursive: true })
    await mkdir(join(folder, 'empty'))
    await writeFile(join(folder, 'gantry.yaml'), secret('usual'))
    await writeFile(join(folder, 'apps', 'one.yaml'), `${secret('one')}---\n${secret('two')}`)
    await writeFile(join(folder, 'apps', 'three.json'), JSON.stringify({ kind: 'Secret', metadata: { name: 'three' } }))
    await writeFile(join(folder, 'apps', 'notes.txt'), 'no object')
    await writeFile(join(folder, 'apps', 'deep', 'four.yml'), secret('four'))
    await writeFile(join(folder, 'bad.yaml'), 'kind: Secret\n  metadata: x\n')
    await writeFile(join(folder, 'vars.yaml'), secret('${NAME}'))
    await writeFile(join(folder, 'some.env'), '# a comment\nNAME=from-file\nOTHER="two words"\n')
    await writeFile(
      join(folder, 'apps', 'deep', 'place.yaml'),
      'kind: Workload\nmetadata: { name: w }\nspec:\n  services:\n    - { name: web, workingDir: .., volumes: [{ name: d, source: ./d }] }\n',
    )
  })
  afterAll(() => rm(folder, { recursive: true }))

  type Given = { files?: string[]; envFiles?: string[]; vars?: string[]; stdin?: string }
  const read = ({ files = [], envFiles = [], vars = [], stdin = '' }: Given) =>
    readDocuments({ filename: files, 'env-file': envFiles, var: vars }, {
      folder,
      keys: { readAll: async () => stdin },
      signal: new AbortController().signal,
    } as unknown as World)
  const names = async (given: Given) =>
    (await read(given)).objects.map((object) => (object as { metadata: { name: string } }).metadata.name)
  const refusal = async (given: Given): Promise<Fault> => {
    const error = await read(given).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (isFault(error)) return error
    throw new Error('was not refused', { cause: error })
  }

  it.each<[string, Given, string[]]>([
    ['gantry.yaml if none is named', {}, ['usual']],
    ['several documents of one', { files: ['apps/one.yaml'] }, ['one', 'two']],
    ['those of a folder, and not of folders below', { files: ['apps'] }, ['one', 'two', 'three']],
    ['those like a pattern', { files: ['apps/*.yaml', 'apps/o?e.yaml'] }, ['one', 'two']],
    ['those like a pattern, in all folders below', { files: ['apps/**/[fo]*.y*ml'] }, ['four', 'one', 'two']],
    ['standard input among them', { files: ['-', 'gantry.yaml'], stdin: secret('piped') }, ['piped', 'usual']],
    ['variables from the line', { files: ['vars.yaml'], vars: ['NAME=x'] }, ['x']],
    [
      'variables from a file, over which the line goes',
      { files: ['vars.yaml'], envFiles: ['some.env'] },
      ['from-file'],
    ],
  ])('are read: %s', async (_, given, expected) => {
    expect(await names(given)).toEqual(expected)
  })

  it('keep what looks like a variable where none were given', async () => {
    expect(await names({ files: ['-'], stdin: secret('"${NAME}"') })).toEqual(['${NAME}'])
  })

  it('name places relative to themselves', async () => {
    const { objects } = await read({ files: ['apps/deep/place.yaml'] })
    const service = { workingDir: join(folder, 'apps'), volumes: [{ name: 'd', source: join(folder, 'apps/deep/d') }] }
    expect(objects).toMatchObject([{ spec: { services: [service] } }])
  })

  it.each<[string, Given, RegExp]>([
    ['are missing', { files: ['nowhere.yaml'] }, /nowhere\.yaml cannot be read: there is no such file/],
    ['are like no pattern', { files: ['x*.yaml'] }, /No file is like x\*\.yaml/],
    ['lie in a folder without any', { files: ['empty'] }, /no \.yaml, \.yml or \.json file in empty/],
    ['are no YAML', { files: ['bad.yaml'] }, /^bad\.yaml:\d+ cannot be read: /],
    ['have nothing in them', { files: ['-'], stdin: '---\n' }, /There is no object in standard input/],
    ['want a variable', { files: ['vars.yaml'], vars: ['OTHER=1'] }, /variable of vars\.yaml has no value: NAME/],
    ['want variables of no file', { files: ['vars.yaml'], envFiles: ['no.env'] }, /no\.env cannot be read/],
    ['are given no value', { files: ['vars.yaml'], vars: ['NAME'] }, /--var NAME=VALUE/],
    ['are standard input twice', { files: ['-', '-'] }, /named twice/],
  ])('are refused with what to do when they %s', async (_, given, message) => {
    expect((await refusal(given)).message).toMatch(message)
  })

  it('are all judged at once, each by its name', async () => {
    const { issues } = await refusal({ files: ['bad.yaml', 'vars.yaml'], vars: ['A=1'] })
    expect(new Set(issues.map(({ file }) => file))).toEqual(new Set(['bad.yaml', 'vars.yaml']))
    expect(issues.at(-1)).toMatchObject({ path: '${NAME}', line: 3 })
  })

  it('are named, with the line, in what a server says about an object by number', async () => {
    const documents = await read({ files: ['gantry.yaml', 'apps/one.yaml'] })
    const issues = [
      { path: 'objects[2].metadata.name', message: 'is taken' },
      { path: 'prune', message: 'is odd' },
    ]
    const fault = documents.located(new Fault('schema', 'No', { issues })) as Fault
    expect(fault.issues).toEqual([
      { path: 'metadata.name', message: 'is taken', file: 'apps/one.yaml', line: 8 },
      { path: 'prune', message: 'is odd' },
    ])
    const other = new Error('something else')
    expect(documents.located(other)).toBe(other)
  })
})
