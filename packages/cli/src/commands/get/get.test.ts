import { webWorkload } from '@gantry/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliSystem, startCliSystem } from '../../testing/cli-system.ts'

describe('gantry get', () => {
  let cli: CliSystem
  beforeAll(async () => {
    cli = await startCliSystem()
    await cli.system.client.tenant('default').workloads.put(webWorkload({ name: 'web', replicas: 1 }))
  })
  afterAll(() => cli?.dispose())

  it('shows a line for each object, under titles', async () => {
    const { code, stdout, stderr } = await cli.gantry(['get', 'workloads'])
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^NAME +STATE +READY +RELEASE +AGE\nweb +\w+ +[?01]\/1 +\S+ +\d+s\n$/)
  })

  it('says what was meant by a kind that there is not', async () => {
    const { code, stderr } = await cli.gantry(['get', 'worklods'])
    expect(stderr).toContain('did you mean "workloads"?')
    expect(code).toBe(2)
  })

  it('is coloured by nothing and as wide as needed in a terminal', async () => {
    const terminal = cli.inTerminal(['get', 'wl'])
    expect(await terminal.exit).toBe(0)
    expect(await terminal.screen()).toMatch(/^NAME/)
  })
})
