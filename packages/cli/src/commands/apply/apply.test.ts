// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a file look like this
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { webWorkload } from '@gantry/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliSystem, startCliSystem } from '../../testing/cli-system.ts'

const secret = (name: string, labels = '{}') =>
  `apiVersion: gantry/v1\nkind: Secret\nmetadata: { name: ${name}, labels: ${labels} }\nspec: {}\n`

/** Workloads that run nothing: what is asked for is all that counts here. */
const idle = (name: string, env: Readonly<Record<string, string>> = {}, replicas = 0) =>
  JSON.stringify(webWorkload({ name, env, replicas }))

describe('gantry apply, plan and diff', () => {
  let cli: CliSystem
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-apply-'))
    cli = await startCliSystem()
  })
  afterAll(async () => {
    await cli?.dispose()
    await rm(folder, { recursive: true })
  })
  const gantry = (args: readonly string[], stdin?: string) =>
    cli.gantry(args, { cwd: folder, ...(stdin !== undefined && { stdin }) })

  it('makes what ./gantry.yaml says, and says what it did to each', async () => {
    await writeFile(join(folder, 'gantry.yaml'), `${secret('one')}---\n${secret('two')}`)
    expect(await gantry(['apply'])).toEqual({
      code: 0,
      stdout: 'secret/one created\nsecret/two created\n',
      stderr: '',
    })
    await writeFile(join(folder, 'gantry.yaml'), `${secret('one', '{ a: b }')}---\n${secret('two')}`)
    expect((await gantry(['apply'])).stdout).toBe('secret/one configured\nsecret/two unchanged\n')
  })

  it('says so without doing it in a dry run', async () => {
    const { code, stdout } = await gantry(['apply', '-f', '-', '--dry-run'], `${secret('never')}---\n${secret('two')}`)
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'secret/never created (dry run)\nsecret/two unchanged (dry run)\n',
    })
    expect((await gantry(['get', 'secret', 'never'])).code).toBe(5)
  })

  it('writes nothing if anything is refused, and names file, line and what was meant', async () => {
    await writeFile(join(folder, 'a.yaml'), secret('fine'))
    await writeFile(
      join(folder, 'b.yaml'),
      'apiVersion: gantry/v1\nkind: Workload\nmetadata: { name: bad }\nspec:\n  replica: 2\n  services: [{ name: web }]\n',
    )
    const { code, stdout, stderr } = await gantry(['apply', '-f', 'a.yaml', '-f', 'b.yaml'])
    expect(code).toBe(2)
    expect(stdout).toBe('workload/bad refused\n')
    expect(stderr).toContain('1 thing is not valid, so nothing was done.')
    expect(stderr).toContain('b.yaml:5: spec.replica: is not a field here; did you mean "replicas"?')
    expect((await gantry(['get', 'secret', 'fine'])).code).toBe(5)
  })

  it('replaces variables where they are given, and names those that are not', async () => {
    await writeFile(join(folder, 'vars.yaml'), secret('${NAME}'))
    expect((await gantry(['apply', '-f', 'vars.yaml', '--var', 'NAME=given'])).stdout).toBe('secret/given created\n')
    const { code, stderr } = await gantry(['apply', '-f', 'vars.yaml', '--var', 'OTHER=1'])
    expect(code).toBe(2)
    expect(stderr).toContain('vars.yaml:3: ${NAME}: has no value')
  })

  it('prunes what was applied before and has the labels', async () => {
    const labels = '{ set: pruned }'
    await gantry(['apply', '-f', '-'], `${secret('stays', labels)}---\n${secret('goes', labels)}`)
    const { stdout } = await gantry(['apply', '-f', '-', '--prune', '-l', 'set=pruned'], secret('stays', labels))
    expect(stdout).toBe('secret/stays unchanged\nsecret/goes deleted\n')
    expect((await gantry(['apply', '-f', '-', '--prune'], secret('stays'))).stderr).toContain('--prune needs -l LABELS')
  })

  it('warns of what it sets back, and of who had set it', async () => {
    await gantry(['apply', '-f', '-'], idle('back'))
    await gantry(['scale', 'back', '1'])
    const { stdout, stderr } = await gantry(['apply', '-f', '-'], idle('back'))
    expect(stdout).toBe('workload/back configured\n')
    expect(stderr).toBe('Warning: workload/back: sets back spec.replicas: 1, which token:admin had set, to 0\n')
  })

  it('plans as a person reads it, and does exactly that or nothing', async () => {
    await writeFile(join(folder, 'app.json'), idle('app', { SAYS: 'one' }, 1))
    const planned = await gantry(['plan', '-f', 'app.json'])
    expect(planned).toMatchObject({ code: 0, stderr: '' })
    expect(planned.stdout).toMatch(/^\+ workload\/app is new\n/)
    expect(planned.stdout).toContain('+ spec.services[web].env.SAYS: one\n')
    expect(planned.stdout).toContain('→ starts 1 replica\n')
    const [, line = ''] = /\n {2}gantry (apply .*)\n$/.exec(planned.stdout) ?? []
    await gantry(['apply', '-f', '-'], idle('app', { SAYS: 'other' }, 0))
    const late = await gantry(line.split(' '))
    expect(late.code).toBe(6)
    expect(late.stderr).toContain('The plan no longer holds')

    const again = await gantry(['plan', '-f', 'app.json'])
    const [, next = ''] = /\n {2}gantry (apply .*)\n$/.exec(again.stdout) ?? []
    expect(again.stdout.replace(/--plan \S+/, '--plan HASH')).toBe(`~ workload/app changes
    ~ spec.replicas: 0 → 1
    ~ spec.services[web].env.SAYS: other → one
    → starts 1 replica
      create replica 0 in slot a on local (1 replica wanted)

1 to change.

To do exactly this, or nothing:
  gantry apply -f app.json --plan HASH
`)
    expect(await gantry([...next.split(' '), '--wait'])).toMatchObject({ code: 0, stdout: 'workload/app configured\n' })
    expect((await gantry(['plan', '-f', 'app.json'])).stdout).toBe('Nothing to do: 1 object is as the files say.\n')
  })

  it('plans for programs, with the hash', async () => {
    const { stdout } = await gantry(['plan', '-f', '-', '-o', 'json'], secret('three'))
    expect(JSON.parse(stdout)).toMatchObject({ hash: expect.any(String), steps: [{ action: 'create' }] })
  })

  it('has colours for a person', async () => {
    await writeFile(join(folder, 'colours.yaml'), secret('colours'))
    const terminal = cli.inTerminal(['plan', '-f', 'colours.yaml'], { cwd: folder })
    expect(await terminal.exit).toBe(0)
    expect(terminal.raw()).toContain('\u001b[32m+\u001b[39m')
  })

  it('ends a diff as diff does', async () => {
    expect(await gantry(['diff', '-f', '-'], secret('two'))).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await gantry(['diff', '-f', '-'], secret('two', '{ x: y }'))).toEqual({
      code: 1,
      stdout: '~ secret/two changes\n    + metadata.labels.x: y\n',
      stderr: '',
    })
    expect((await gantry(['diff', '-f', 'nowhere.yaml'])).code).toBe(2)
    expect((await gantry(['diff', '-f', '-', '--server', 'http://127.0.0.1:1'], secret('two'))).code).toBe(2)
  })
})
