import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { webWorkload } from '@gantry/server/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CliSystem, startCliSystem } from '../../testing/cli-system.ts'

/** An editor that does to the file what the environment says, one script for each time that it is opened. */
const editorProgram = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs')
const file = process.argv.at(-1)
const text = readFileSync(file, 'utf8')
const log = process.env.EDITS_LOG
const turn = existsSync(log) ? readFileSync(log, 'utf8').split('=====\\n').length - 1 : 0
appendFileSync(log, text + '=====\\n')
const edits = JSON.parse(process.env.EDITS)
const [from, to] = edits[turn] ?? []
if (from === 'fail') process.exit(3)
if (from !== undefined) writeFileSync(file, text.replace(from, to))
`

describe('changing one object', () => {
  let cli: CliSystem
  let folder: string
  let editor: string
  const workloads = () => cli.system.client.tenant('default').workloads
  const replicas = async () => (await workloads().get('web')).spec.replicas

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-edit-test-'))
    editor = join(folder, 'my editor')
    await writeFile(editor, editorProgram)
    await chmod(editor, 0o755)
    cli = await startCliSystem()
  })
  beforeEach(async () => void (await workloads().put(webWorkload({ name: 'web', replicas: 0 }))))
  afterAll(async () => {
    await cli?.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  async function edit(edits: readonly (readonly string[])[], env: Record<string, string> = {}) {
    const log = join(folder, `log-${Math.random()}`)
    const around = {
      EDITS: JSON.stringify(edits),
      EDITS_LOG: log,
      EDITOR: `"${editor}" --wait`,
      TMPDIR: folder,
      VISUAL: '',
    }
    const ran = await cli.gantry(['edit', 'workload/web'], { env: { ...around, ...env } })
    const opened = (await readFile(log, 'utf8').catch(() => '')).split('=====\n').slice(0, -1)
    return { ...ran, opened }
  }

  it('opens what can be written, and writes what was changed', async () => {
    const { code, stdout, stderr, opened } = await edit([['replicas: 0', 'replicas: 2']])
    expect(stderr).toBe('')
    expect(stdout).toBe('workload/web configured\n')
    expect(code).toBe(0)
    expect(opened).toHaveLength(1)
    expect(opened[0]).toMatch(
      /^# Change it.*\n#.*\napiVersion: gantry\/v1\nkind: Workload\nmetadata:\n {2}name: web\n {2}tenant: default\nspec:/,
    )
    expect(opened[0]).not.toMatch(/status:|uid|resourceVersion/)
    expect(await replicas()).toBe(2)
  })

  it('does nothing when nothing was changed', async () => {
    const { code, stdout, stderr } = await edit([[]])
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: 'Nothing was changed.\n' })
  })

  it('opens again what is not valid, with what is wrong at the top', async () => {
    const { code, stdout, opened } = await edit([
      ['replicas: 0', 'replicas: -4'],
      ['replicas: -4', 'replicas: 1'],
    ])
    expect(stdout).toBe('workload/web configured\n')
    expect(code).toBe(0)
    expect(opened[1]).toMatch(/# Not written: .*\n# {3}spec\.replicas: /)
    expect(opened[1]).toContain('replicas: -4')
    expect(await replicas()).toBe(1)
  })

  it('opens again what is no YAML, or is another object', async () => {
    const { opened, code } = await edit([
      ['spec:', 'spec: [:'],
      ['spec: [:', 'spec:'],
    ])
    expect(opened[1]).toContain('# Not written: ')
    expect(code).toBe(0)
    const other = await edit([
      ['name: web\n  tenant', 'name: other\n  tenant'],
      ['name: other', 'name: web'],
    ])
    expect(other.opened[1]).toContain('metadata.name: must stay "web"')
  })

  it('gives up on what stays wrong, and keeps the text', async () => {
    const { code, stderr } = await edit([['replicas: 0', 'replicas: many'], []])
    expect(code).toBe(2)
    const kept = /Your text is kept in (\S+\.yaml)/.exec(stderr)?.[1] ?? ''
    expect(await readFile(kept, 'utf8')).toContain('replicas: many')
    expect(await replicas()).toBe(0)
  })

  it('writes nothing over what somebody else changed meanwhile', async () => {
    const meanwhile = join(folder, 'meanwhile')
    const { server, token } = await connection()
    const program = editorProgram.replace(
      'const edits',
      `const { execFileSync } = require('node:child_process')
execFileSync(process.execPath, ['-e', \`fetch('${server}/v1/tenants/default/workloads/web', { method: 'PATCH', headers: { authorization: 'Bearer ${token}', 'content-type': 'application/merge-patch+json' }, body: '{"spec":{"replicas":3}}' }).then((answer) => process.exit(answer.ok ? 0 : 1))\`])
const edits`,
    )
    await writeFile(meanwhile, program)
    await chmod(meanwhile, 0o755)
    const { code, stderr } = await edit([['replicas: 0', 'replicas: 2']], { EDITOR: meanwhile })
    expect(stderr).toContain('workload/web was changed by somebody else while you edited it')
    expect(stderr).toMatch(/Your text is kept in \S+/)
    expect(code).toBe(6)
    expect(await replicas()).toBe(3)
  })

  it('says what to do when there is no such editor, or it fails', async () => {
    const none = await edit([], { EDITOR: join(folder, 'nowhere') })
    expect(none.stderr).toContain('name yours in $EDITOR')
    expect(none.stderr).not.toContain('kept')
    const failed = await edit([['fail', '']])
    expect(failed.stderr).toContain('ended with code 3, so nothing was written')
    expect(await replicas()).toBe(0)
  })

  it('is not for what the server makes', async () => {
    const { code, stderr } = await cli.gantry(['edit', 'release/web-v1'])
    expect(stderr).toContain('made by the server')
    expect(code).toBe(2)
  })

  it('patches with JSON, YAML and standard input', async () => {
    const json = await cli.gantry(['patch', 'workload', 'web', '-p', '{"spec":{"replicas":1}}'])
    expect(json).toEqual({ code: 0, stdout: 'workload/web configured\n', stderr: '' })
    const same = await cli.gantry(['patch', 'workload/web', '-p', 'spec: {replicas: 1}'])
    expect(same.stdout).toBe('workload/web unchanged\n')
    const piped = await cli.gantry(['patch', 'wl/web', '-p', '-', '-o', 'json'], {
      stdin: 'metadata: {labels: {team: web}}',
    })
    expect(JSON.parse(piped.stdout)).toMatchObject({ kind: 'Workload', metadata: { labels: { team: 'web' } } })
  })

  it('shows what a patch would change, and changes nothing', async () => {
    const { code, stdout, stderr } = await cli.gantry(['patch', 'wl/web', '-p', 'spec: {replicas: 2}', '--dry-run'])
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^workload\/web would change\n {2}~ spec\.replicas: 0 → 2\n/)
    expect(code).toBe(0)
    expect(await replicas()).toBe(0)
    const none = await cli.gantry(['patch', 'wl/web', '-p', '{}', '--dry-run'])
    expect(none.stdout).toBe('workload/web would stay as it is\n')
  })

  it.each([
    [['patch', 'wl/web'], 2, 'either --patch or --patch-file'],
    [['patch', 'wl/web', '-p', '[1]'], 2, 'must be a part of an object'],
    [['patch', 'wl/web', '-p', '{a'], 2, 'cannot be read'],
    [['patch', 'wl/wbe', '-p', '{}'], 5, 'did you mean "web"?'],
    [['patch', 'wl', '-p', '{}'], 2, 'write "gantry patch workload/NAME"'],
    [['patch', 'wl/web', '-p', '{"spec":{"replicas":"x"}}'], 2, 'spec.replicas'],
  ])('refuses %j', async (line, exit, text) => {
    const { code, stderr } = await cli.gantry(line)
    expect(stderr).toContain(text)
    expect(code).toBe(exit)
  })

  async function connection(): Promise<{ server: string; token: string }> {
    const file = JSON.parse(await readFile(cli.env.GANTRY_CONTEXTS ?? '', 'utf8'))
    return file.contexts[file.current]
  }
})
