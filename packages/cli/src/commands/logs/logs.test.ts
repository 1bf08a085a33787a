import { get } from 'node:http'
import { until } from '@gantry/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CliSystem } from '../../testing/cli-system.ts'
import { startTalkingSystem } from '../../testing/talking-workload.ts'

describe('gantry logs', () => {
  let cli: CliSystem
  beforeAll(async () => {
    cli = await startTalkingSystem()
    // What was written is collected a moment later.
    await until('all lines to be kept', lines, (found) => found.length === 8)
  })
  afterAll(() => cli?.dispose())

  const lines = async (...flags: readonly string[]): Promise<string[]> => {
    const { stdout } = await cli.gantry(['logs', 'web', ...flags])
    return stdout.trimEnd().split('\n')
  }

  /** Through the edge, as a browser would. */
  const ask = (path: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const headers = { host: 'web.default.localhost' }
      const asked = get({ host: '127.0.0.1', port: cli.system.edgePort, path, headers }, (answer) =>
        resolve(answer.resume()),
      )
      asked.once('error', reject)
    })

  it('says whose each line is, where there are several', async () => {
    expect((await lines()).toSorted()).toEqual(
      ['side/0', 'side/1', 'web/0', 'web/1'].flatMap((who) => {
        const service = who.slice(0, -2)
        return [`${who} hello from ${service}`, `${who} trouble of ${service}`]
      }),
    )
  })

  // Which of two pipes is read first is nobody's promise, so which line is the last is looked up.
  const webOfFirst = ['--service', 'web', '--replica', '0'] as const

  it('shows one process without saying whose', async () => {
    const shown = await lines('--service', 'side', '--replica', '1')
    expect(shown.toSorted()).toEqual(['hello from side', 'trouble of side'])
  })

  it('shows the last lines only, with their times', async () => {
    const last = (await lines(...webOfFirst)).at(-1)
    const [line = '', ...more] = await lines('--tail', '1', '--timestamps', ...webOfFirst)
    expect(more).toEqual([])
    const [time = '', ...words] = line.split(' ')
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(words.join(' ')).toBe(last)
  })

  it('gives programs a record on each line', async () => {
    const last = (await lines(...webOfFirst)).at(-1) ?? ''
    const [line = ''] = await lines('--tail', '1', ...webOfFirst, '-o', 'json')
    const stream = last.startsWith('trouble') ? 'stderr' : 'stdout'
    expect(JSON.parse(line)).toMatchObject({ service: 'web', replica: 0, slot: 'a', stream, line: last })
  })

  it('shows nothing older than asked for, and nothing of replicas before where there were none', async () => {
    expect(await lines('--since', '2999-01-01T00:00:00Z')).toEqual([''])
    expect(await lines('--previous')).toEqual([''])
  })

  it('follows until Ctrl-C, in a colour for each, and ends as what was interrupted', async () => {
    const terminal = cli.inTerminal(['logs', 'web', '-f', '--service', 'web'])
    await terminal.shows('web/0 hello from web')
    await terminal.shows('web/1 hello from web')
    await ask('/again')
    await terminal.shows(/^web\/[01] asked for \/again$/m)
    terminal.type('\u0003')
    expect(await terminal.exit).toBe(130)
    const colours = new Set(terminal.raw().match(/\[\d+m(?=web\/\d)/g))
    expect(colours.size).toBe(2)
  })

  it('follows on when the server was away, and shows no line twice', async () => {
    const running = cli.start(['logs', 'web', '-f', '--service', 'web', '--replica', '0'])
    await until(
      'the lines so far',
      async () => running.stdout(),
      (text) => text.includes('trouble of web'),
    )
    await cli.system.kill()
    await cli.system.start()
    await until(
      'a line that was written since',
      async () => {
        // Of two replicas, one is asked at a time.
        await ask('/since')
        return running.stdout()
      },
      (text) => text.includes('asked for /since'),
    )
    running.end('SIGINT')
    const { code, stdout, stderr } = await running.done
    expect(code).toBe(130)
    expect(stdout.match(/hello from web/g)).toHaveLength(1)
    expect(stderr).toMatch(/^The connection is lost, and tried again: [^\n]*\n$/)
  })

  it.each([
    [['logs', 'wbe'], 'There is no workload "wbe" in tenant default; did you mean "web"?', 5],
    [['logs', 'web', '--service', 'sid'], 'did you mean "side"?', 5],
    [['logs', 'web', '--since', 'yesterday'], 'must be a time such as', 2],
    [['logs', 'web', '--tail', 'all'], '--tail must be a whole number', 2],
  ] as const)('refuses %j with what was probably meant', async (args, said, exit) => {
    const { code, stdout, stderr } = await cli.gantry(args)
    expect(stderr).toContain(said)
    expect([code, stdout]).toEqual([exit, ''])
  })
})
