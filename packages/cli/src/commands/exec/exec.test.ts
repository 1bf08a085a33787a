import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CliSystem } from '../../testing/cli-system.ts'
import { bundle } from '../../testing/gantry.ts'
import { startTalkingSystem } from '../../testing/talking-workload.ts'

describe('gantry exec', () => {
  let cli: CliSystem
  beforeAll(async () => {
    cli = await startTalkingSystem(1)
  })
  afterAll(() => cli?.dispose())

  it('keeps both streams apart, and ends with the code of the command', async () => {
    const command = ['sh', '-c', 'echo to out; echo to err >&2; exit 7']
    expect(await cli.gantry(['exec', 'web', '--', ...command])).toEqual({
      code: 7,
      stdout: 'to out\n',
      stderr: 'to err\n',
    })
  })

  it('passes on what comes through a pipe, byte for byte, and then its end', async () => {
    const stdin = Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 251))
    const { code, stdout } = await cli.gantry(['exec', '-i', 'web', '--', 'sha256sum'], { stdin })
    const { createHash } = await import('node:crypto')
    expect(stdout).toContain(createHash('sha256').update(stdin).digest('hex'))
    expect(code).toBe(0)
  })

  it('gives no input where none was asked for', async () => {
    const { stdout } = await cli.gantry(['exec', 'web', '--', 'sh', '-c', 'cat; echo end'], { stdin: 'unread' })
    expect(stdout).toBe('end\n')
  })

  it('reaches the service that is named, with its environment', async () => {
    const { stdout } = await cli.gantry(['exec', 'web', '--service', 'side', '--', 'sh', '-c', 'echo $WHO'])
    expect(stdout).toBe('side\n')
  })

  it('says how a command was killed, as shells do', async () => {
    const { code } = await cli.gantry(['exec', 'web', '--', 'sh', '-c', 'kill -9 $$'])
    expect(code).toBe(137)
  })

  it.each([
    [['exec', 'web'], 'There is nothing to run; write it behind --'],
    [['exec', 'web', 'ls', '/'], 'gantry exec web -- ls /'],
    [['exec', 'wbe', '--', 'ls'], 'did you mean "web"?'],
    [['exec', 'web', '--replica', '9', '--', 'ls'], 'no replica 9'],
    [['exec', 'web', '--service', 'sdie', '--', 'ls'], 'did you mean "side"?'],
    [['exec', '-it', 'web', '--', 'ls'], 'There is no terminal here'],
    [['exec', 'web', '--what', '--', 'ls'], 'it has no flag --what'],
    [['exec', 'web', '--server', 'http://127.0.0.1:1', '--', 'ls'], 'nothing listens there'],
  ])('ends %j with 125 and a sentence, as the command was not reached', async (args, said) => {
    const { code, stdout, stderr } = await cli.gantry(args)
    expect(stderr).toContain(said)
    expect([code, stdout]).toEqual([125, ''])
  })

  it('says that a program is not there', async () => {
    const { code, stderr } = await cli.gantry(['exec', 'web', '--', 'no-such-program'])
    expect(stderr).toContain('no-such-program')
    expect([125, 126, 127]).toContain(code)
  })

  /** A shell around it, which tells how it ended and how it left the terminal. */
  const inShell = (...args: readonly string[]) =>
    cli.inTerminal([], {
      program: {
        file: 'sh',
        args: ['-c', '"$@"; echo "ended with $?"; stty -a', 'sh', process.execPath, bundle, ...args],
      },
    })

  it('with -it is a terminal: of its size, resized with it, with every key going there', async () => {
    const terminal = inShell('exec', '-it', 'web', '--', 'sh')
    await terminal.shows(/[$#]$/m)
    terminal.type('stty size; echo "on $(tty)"\r')
    await terminal.shows(/^24 80$/m)
    await terminal.shows(/^on \/dev\//m)
    terminal.resize(100, 30)
    terminal.type('until [ "$(stty size)" = "30 100" ]; do sleep 0.05; done; echo re""sized\r')
    await terminal.shows(/^resized$/m)
    terminal.type(`sh -c 'trap "echo interrupted; exit" INT; echo waits; while :; do sleep 0.05; done'\r`)
    await terminal.shows(/^waits$/m)
    terminal.type('\u0003')
    await terminal.shows(/\^Cinterrupted$/m)
    terminal.type('exit 5\r')
    await terminal.shows('ended with 5')
    // As it was: lines, echo and signals are the terminal's again.
    expect(await terminal.shows(/\bicanon\b/)).toMatch(/ icanon .* echo /s)
    expect(await terminal.exit).toBe(0)
  })

  it('with -t alone is ended by Ctrl-C, as no key goes there', async () => {
    const terminal = cli.inTerminal(['exec', '-t', 'web', '--', 'sh', '-c', 'echo waits; sleep 100'])
    await terminal.shows(/^waits$/m)
    terminal.type('\u0003')
    expect(await terminal.exit).toBe(130)
  })

  it('with -it gives the terminal back when the server goes away', async () => {
    const terminal = inShell('exec', '-it', 'web', '--', 'sh')
    await terminal.shows(/[$#]$/m)
    await cli.system.kill()
    await terminal.shows('ended with 125')
    expect(await terminal.shows(/\bicanon\b/)).toContain('Error: ')
    await terminal.exit
    await cli.system.start()
  })
})
