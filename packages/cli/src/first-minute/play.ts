/** Runs the session in a real terminal, on a server of its own that runs what `npm start` runs. */
import { cp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CliSystem, startCliSystem } from '../testing/cli-system.ts'
import { inTerminal } from '../testing/terminal.ts'
import { columns, rows, session } from './session.ts'

/** What a terminal was given, and when since the beginning of the line. */
export type Frame = { readonly atMs: number; readonly text: string }

export type Played = {
  readonly line: string
  readonly frames: readonly Frame[]
  /** What a person sees at its end. */
  readonly screen: string
}

const hello = fileURLToPath(new URL('../../../../examples/hello/', import.meta.url))

export async function play(): Promise<Played[]> {
  const cli = await startCliSystem()
  try {
    // A checkout may be closed to the user that a workload runs as; what lies beside the data of the server is not.
    const example = join(dirname(cli.system.dataDir), 'hello')
    await cp(hello, example, { recursive: true, filter: (file) => !file.includes('node_modules') })
    const { code, stderr } = await cli.gantry(['apply', '-f', join(example, 'gantry.yaml'), '--wait'])
    if (code !== 0) throw new Error(`The workload of npm start cannot be had: ${stderr}`)
    const played: Played[] = []
    for (const line of session) played.push(await playLine(cli, line))
    return played
  } finally {
    await cli.dispose()
  }
}

async function playLine(cli: CliSystem, line: string): Promise<Played> {
  const [program = '', ...args] = line.replace(':7480/', `:${cli.system.edgePort}/`).split(' ')
  const began = Date.now()
  const frames: Frame[] = []
  const terminal = inTerminal(args.slice(1), {
    env: cli.env,
    columns,
    rows,
    onText: (text) => frames.push({ atMs: Date.now() - began, text: usual(cli, text) }),
    ...(program !== 'npx' && { program: { file: program, args: ['-sS', ...args] } }),
  })
  const code = await terminal.exit
  const screen = usual(cli, await terminal.screen())
  if (code !== 0) throw new Error(`${line} ended with ${code}:\n${screen}`)
  return { line, frames, screen }
}

/** With the port that a server of one's own has, where tests have any. */
function usual({ system }: CliSystem, text: string): string {
  return text.replaceAll(system.client.server, 'http://127.0.0.1:7400')
}
