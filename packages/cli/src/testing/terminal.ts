/** The program in a real pseudo-terminal, behind which an emulator knows what a person would see. */
import { spawn } from '@lydell/node-pty'
import headless from '@xterm/headless'
import { bundle, type Surroundings } from './gantry.ts'

export type TerminalOptions = Omit<Surroundings, 'stdin'> & {
  readonly columns?: number
  readonly rows?: number
  /** Told of every text as it comes. */
  readonly onText?: (text: string) => void
  /** Another program than ours, such as a shell. */
  readonly program?: { readonly file: string; readonly args: readonly string[] }
}

export interface InTerminal {
  /** The lines that a person sees now, without blanks behind them. */
  screen(): Promise<string>
  /** Everything that was ever written, colours and all. */
  raw(): string
  /** Waits until the screen shows it; fails with the screen after `withinMs`, 30 s if left out. */
  shows(text: string | RegExp, withinMs?: number): Promise<string>
  type(text: string): void
  resize(columns: number, rows: number): void
  readonly exit: Promise<number>
  kill(): void
}

export function inTerminal(args: readonly string[], options: TerminalOptions = {}): InTerminal {
  const { columns = 80, rows = 24, env = {}, cwd, program, onText } = options
  const { file, args: given } = program ?? { file: process.execPath, args: [bundle, ...args] }
  const emulator = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 5000 })
  const child = spawn(file, [...given], {
    cols: columns,
    rows,
    name: 'xterm-256color',
    env: { ...process.env, TERM: 'xterm-256color', NO_COLOR: '', ...env },
    ...(cwd !== undefined && { cwd }),
  })
  let written = ''
  child.onData((text) => {
    written += text
    onText?.(text)
    emulator.write(text)
  })
  const exit = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)))
  const screen = (): Promise<string> => seenIn(emulator)
  return {
    screen,
    raw: () => written,
    async shows(text, withinMs = 30_000) {
      const deadline = Date.now() + withinMs
      for (;;) {
        const seen = await screen()
        if (typeof text === 'string' ? seen.includes(text) : text.test(seen)) return seen
        if (Date.now() > deadline) throw new Error(`The terminal never showed ${text}; it shows:\n${seen}`)
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
    },
    type: (text) => child.write(text),
    resize(toColumns, toRows) {
      emulator.resize(toColumns, toRows)
      child.resize(toColumns, toRows)
    },
    exit,
    // A shell that waits for a key does not hear of anything gentler before the next one.
    kill: () => child.kill('SIGKILL'),
  }
}

/** What a person would see after all of a text was written. */
export async function emulated(
  text: string,
  size: { readonly columns: number; readonly rows: number },
): Promise<string> {
  const emulator = new headless.Terminal({
    cols: size.columns,
    rows: size.rows,
    allowProposedApi: true,
    scrollback: 5000,
  })
  emulator.write(text)
  return seenIn(emulator)
}

async function seenIn(emulator: InstanceType<typeof headless.Terminal>): Promise<string> {
  // The emulator works through what it was given in turns of its own.
  await new Promise<void>((resolve) => emulator.write('', resolve))
  const { active } = emulator.buffer
  const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? '')
  return lines.join('\n').trimEnd()
}
