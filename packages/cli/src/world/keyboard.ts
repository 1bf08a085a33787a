/** Standard input: a pipe that is read, or a person who is asked. */
import { Fault, onAbort } from '@gantry/core'
import type { Keyboard } from './world.ts'

/** A terminal that is still being read would keep the program alive; one that nobody read is not even opened for this. */
export function releaseKeyboard(): void {
  opened?.unref?.()
}

let opened: NodeJS.ReadStream | undefined

export function keyboardOf(input: NodeJS.ReadStream, echo: NodeJS.WriteStream): Keyboard {
  opened = input
  return {
    get isTerminal() {
      return input.isTTY === true
    },
    async readAll({ signal }) {
      const parts: Buffer[] = []
      for await (const part of input.iterator({ destroyOnReturn: true })) {
        signal.throwIfAborted()
        parts.push(Buffer.from(part as Uint8Array))
      }
      return Buffer.concat(parts).toString('utf8')
    },
    chunks: () => input as AsyncIterable<Uint8Array>,
    raw() {
      if (input.isTTY !== true) return () => undefined
      input.setRawMode(true)
      return () => input.setRawMode(false)
    },
    async ask(question, { hidden = false, signal }) {
      if (input.isTTY !== true) {
        throw new Fault(
          'bad_request',
          `Nobody can be asked "${question.trim()}" here: there is no terminal. Give it as a flag or through standard input`,
        )
      }
      const { createInterface } = await import('node:readline/promises')
      const { Writable } = await import('node:stream')
      const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
      // What reads the line draws it anew with every key, and the question with it; what draws nothing is given nothing.
      const lines = createInterface({ input, output: hidden ? silent : echo, terminal: true })
      // Only now that the terminal shows no keys any more: whoever answers at once must not be seen.
      if (hidden) echo.write(question)
      try {
        const ended = new Promise<never>((_, reject) => {
          // The terminal gives us the key and no signal while it is asked; it means the same.
          lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
          lines.once('close', () => reject(new Fault('bad_request', 'The input ended before there was an answer')))
          onAbort(signal, () => reject(signal.reason))
        })
        return await Promise.race([lines.question(hidden ? '' : question, { signal }), ended])
      } finally {
        lines.close()
        if (hidden) echo.write('\n')
      }
    },
  }
}
