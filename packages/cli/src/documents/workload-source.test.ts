// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a file look like this
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isFault } from '@gantry/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { World } from '../world/world.ts'
import { readDocuments } from './documents.ts'

type Source = {
  readonly manifests?: { readonly text?: string }
  readonly helm?: { readonly chart: { readonly archive?: string }; readonly valuesFiles?: string[] }
}

describe('a workload whose file names others', () => {
  let folder: string
  const write = (path: string, text: string | Uint8Array) => writeFile(join(folder, path), text)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-source-'))
    for (const path of ['k8s', 'chart/templates', 'chart/docs', 'empty']) {
      await mkdir(join(folder, path), { recursive: true })
    }
    await write('k8s/b.yaml', 'kind: Service')
    await write('k8s/a.yaml', 'kind: Deployment\n---\nkind: ConfigMap\n')
    await write('k8s/notes.txt', 'no object')
    await write('values.yaml', 'a: 1\nb: ${NOT_A_VARIABLE}\n')
    await write('chart/Chart.yaml', 'apiVersion: v2\nname: "hello" # it is called so\nversion: 1.0.0\n')
    await write('chart/.helmignore', 'docs/\n')
    await write('chart/docs/long.md', 'x'.repeat(1000))
    await write('chart/templates/web.yaml', 'kind: Deployment\n')
    await write(`chart/templates/${'n'.repeat(110)}.yaml`, 'kind: Service\n')
    await write('packed.tgz', Buffer.from([0x1f, 0x8b, 8, 0]))
    await symlink('../values.yaml', join(folder, 'chart/values.yaml'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  async function sourceOf(source: string): Promise<Source> {
    await write('gantry.yaml', `kind: Workload\nmetadata: { name: w }\nspec:\n  source: ${source}\n`)
    const flags = { filename: [], 'env-file': [], var: [] }
    const { objects } = await readDocuments(flags, { folder, signal: new AbortController().signal } as unknown as World)
    return (objects[0] as { spec: { source: Source } }).spec.source
  }

  it('has what is in manifests, each with where it is from', async () => {
    const { manifests } = await sourceOf('{ manifests: { files: [k8s/b.yaml, k8s] } }')
    expect(manifests?.text).toBe(
      '# k8s/b.yaml\nkind: Service\n---\n# k8s/a.yaml\nkind: Deployment\n---\nkind: ConfigMap\n---\n# k8s/b.yaml\nkind: Service\n',
    )
    expect((await sourceOf("{ manifests: { files: ['k8s/*.yaml'] } }")).manifests?.text).toMatch(/^# k8s\/a\.yaml\n/)
  })

  it('has texts that stand in it as they are', async () => {
    expect(await sourceOf('{ manifests: { text: "kind: List" } }')).toEqual({ manifests: { text: 'kind: List' } })
  })

  it('has a folder as a packed chart, without what is ignored, and always the same bytes', async () => {
    const pack = async (): Promise<string> =>
      (await sourceOf('{ helm: { chart: { folder: ./chart } } }')).helm?.chart.archive ?? ''
    const archive = await pack()
    await write('chart.tgz', Buffer.from(archive, 'base64'))
    const listed = execFileSync('tar', ['-tzf', join(folder, 'chart.tgz')], { encoding: 'utf8' })
    expect(listed.trim().split('\n')).toEqual([
      'hello/.helmignore',
      'hello/Chart.yaml',
      `hello/templates/${'n'.repeat(110)}.yaml`,
      'hello/templates/web.yaml',
      'hello/values.yaml',
    ])
    const text = execFileSync('tar', ['-xzOf', join(folder, 'chart.tgz'), 'hello/values.yaml'], { encoding: 'utf8' })
    expect(text).toBe('a: 1\nb: ${NOT_A_VARIABLE}\n')
    expect(await pack()).toBe(archive)
  })

  it('has a chart that is packed already', async () => {
    const { helm } = await sourceOf('{ helm: { chart: { file: packed.tgz } } }')
    expect(helm?.chart).toEqual({ archive: 'H4sIAA==' })
  })

  it('has texts of values: of files by path, as they stand where there are several lines, and references', async () => {
    const reference = `vault:${'0'.repeat(32)}`
    const given = `{ helm: { chart: { path: /a }, valuesFiles: [values.yaml, "b: 1\\n", "${reference}"] } }`
    expect((await sourceOf(given)).helm?.valuesFiles).toEqual(['a: 1\nb: ${NOT_A_VARIABLE}\n', 'b: 1\n', reference])
  })

  it.each<[string, string, string, RegExp]>([
    ['no such file', '{ manifests: { files: [k8s/c.yaml] } }', 'manifests.files[0]', /k8s\/c\.yaml cannot be read/],
    ['nothing like it', "{ manifests: { files: [k8s, 'x/*.yaml'] } }", 'manifests.files[1]', /No file is like x/],
    ['an empty folder', '{ manifests: { files: [empty] } }', 'manifests.files[0]', /no \.yaml/],
    ['no files', '{ manifests: { files: [] } }', 'manifests.files', /names no file/],
    ['files beside a text', '{ manifests: { text: a, files: [k8s] } }', 'manifests.files', /beside text/],
    ['a folder that is no chart', '{ helm: { chart: { folder: k8s } } }', 'helm.chart.folder', /no Chart\.yaml/],
    ['no such folder', '{ helm: { chart: { folder: none } } }', 'helm.chart.folder', /no Chart\.yaml/],
    ['a file that is no chart', '{ helm: { chart: { file: values.yaml } } }', 'helm.chart.file', /not a packed chart/],
    ['a folder and a file', '{ helm: { chart: { folder: chart, file: a } } }', 'helm.chart', /has both/],
    [
      'values that are nowhere',
      '{ helm: { chart: { path: /a }, valuesFiles: [none.yaml] } }',
      'helm.valuesFiles[0]',
      /none\.yaml cannot be read: there is no such file/,
    ],
  ])('is refused with the field that names it: %s', async (_, source, path, message) => {
    const error: unknown = await sourceOf(source).catch((thrown: unknown) => thrown)
    if (!isFault(error, 'invalid')) throw new Error('was not refused', { cause: error })
    expect(error.issues).toEqual([
      { path: `spec.source.${path}`, message: expect.stringMatching(message), file: 'gantry.yaml' },
    ])
  })

  it('says what is too large for a chart before it is sent', async () => {
    await mkdir(join(folder, 'large'))
    await write('large/Chart.yaml', 'name: large\n')
    await write('large/noise', randomBytes(4 * 1024 * 1024))
    await expect(sourceOf('{ helm: { chart: { folder: large } } }')).rejects.toThrow(/too large for a chart.*3 MiB/)
  })
})
