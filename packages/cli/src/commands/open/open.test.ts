import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@gantry/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CliSystem } from '../../testing/cli-system.ts'
import { startTalkingSystem } from '../../testing/talking-workload.ts'

describe('gantry open and gantry top', () => {
  let cli: CliSystem
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-open-'))
    cli = await startTalkingSystem(1)
  })
  afterAll(async () => {
    await cli?.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  it('prints the address where the edge answers, and nothing else', async () => {
    const { stdout, stderr, code } = await cli.gantry(['open', 'web'])
    expect({ stdout, stderr, code }).toEqual({
      stdout: `http://web.default.localhost:${cli.system.edgePort}/\n`,
      stderr: '',
      code: 0,
    })
  })

  it('opens it in a browser where somebody can see one', async () => {
    const seen = join(folder, 'seen')
    await writeFile(join(folder, 'xdg-open'), `#!/bin/sh\nprintf '%s %s' "$#" "$1" > '${seen}'\n`)
    await chmod(join(folder, 'xdg-open'), 0o755)
    const env = { DISPLAY: ':0', PATH: `${folder}:${process.env.PATH}` }
    const terminal = cli.inTerminal(['open', 'web'], { env })
    expect(await terminal.exit).toBe(0)
    const said = await until(
      'the browser to be opened',
      () => readFile(seen, 'utf8'),
      (text) => text !== '',
    )
    expect(said).toBe(`1 http://web.default.localhost:${cli.system.edgePort}/`)
  })

  it('says that there is no browser, and is no failure', async () => {
    const terminal = cli.inTerminal(['open', 'web'], { env: { DISPLAY: ':0', PATH: folder.replace('open', 'no') } })
    expect(await terminal.exit).toBe(0)
    expect(await terminal.screen()).toContain('No browser was opened, as there is no xdg-open here')
  })

  it('shows what workloads use, once that is known, and draws it anew on a terminal', async () => {
    const table = await until(
      'the first sample',
      async () => (await cli.gantry(['top'])).stdout,
      (text) => /^web +1\/1 +\d+m +[\d.]+Mi /m.test(text),
      { withinMs: 90_000, everyMs: 2000 },
    )
    expect(table).toMatch(/^NAME +READY +CPU +MEMORY +LIMIT +NET IN +NET OUT\n/)
    const one = await cli.gantry(['top', 'web', '-o', 'json'])
    expect(JSON.parse(one.stdout)).toMatchObject({ items: [{ name: 'web', everySeconds: 30 }] })
    const terminal = cli.inTerminal(['top', 'web', '-w'])
    await terminal.shows(/^memory +[\d.]+Mi/m)
    await terminal.shows(/^a\/0 +\d+m +[\d.]+Mi$/m)
    terminal.type('\u0003')
    expect(await terminal.exit).toBe(130)
  }, 180_000)
})
