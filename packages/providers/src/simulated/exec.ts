/** Commands inside simulated processes: interpreted, with a real exit code and two streams. */
import { type Call, Fault, onAbort } from '@gantry/core'
import { channel } from '../channel.ts'
import type { TestCommand } from '../contract/program.ts'
import type { ExecExit, ExecRequest, ExecSession, TerminalSize } from '../exec.ts'
import { type Answer, answerTo } from './commands.ts'
import type { SimProcess, SimReplica } from './objects.ts'
import { commandOf } from './programs.ts'
import type { SimulatedWorld } from './world.ts'

export async function execute(
  world: SimulatedWorld,
  replica: SimReplica,
  process: SimProcess,
  request: ExecRequest,
  { signal }: Call,
): Promise<ExecSession> {
  signal.throwIfAborted()
  const stdout = channel<Uint8Array>()
  const stderr = channel<Uint8Array>()
  const input: Uint8Array[] = []
  let size: TerminalSize | undefined = request.tty
  let settle: (exit: ExecExit) => void = () => undefined
  const exit = new Promise<ExecExit>((resolve) => {
    settle = resolve
  })
  let leave = (): void => undefined
  const end = (how: ExecExit): void => {
    process.commands.delete(kill)
    leave()
    stdout.close()
    stderr.close()
    settle(how)
  }
  const kill = (): void => end({ ended: 'killed' })
  const answer = ({ out = '', err = '', code }: Answer): void => {
    if (out) stdout.push(encode(out))
    // A terminal has one stream.
    if (err) (request.tty ? stdout : stderr).push(encode(err))
    if (code !== undefined) end({ ended: 'exited', exitCode: code })
  }
  const printSize = (): void => answer({ out: size ? `${size.rows} ${size.columns}\n` : 'no terminal\n' })
  const closed = (): void => {
    if (command?.do === 'echo') answer({ out: decode(input), code: 0 })
    if (command?.do === 'size') answer({ code: 0 })
  }

  process.commands.add(kill)
  leave = onAbort(signal, kill)
  const command: TestCommand | undefined = commandOf(request.argv)
  if (!command) answer({ err: `${request.argv[0]}: not found\n`, code: 127 })
  else answer(answerTo(world, replica, process, command))
  if (command?.do === 'size') printSize()
  if (!request.stdin) closed()

  return {
    stdout,
    stderr,
    exit,
    async write(bytes) {
      if (command?.do === 'size') printSize()
      input.push(bytes)
    },
    async end() {
      closed()
    },
    async resize(next) {
      if (!request.tty) throw new Fault('capability_missing', 'There is no terminal to resize; ask for one with tty')
      size = next
    },
  }
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const decode = (chunks: readonly Uint8Array[]): string =>
  chunks.map((chunk) => new TextDecoder().decode(chunk)).join('')
