/** Standard output or error as a screen. */
import type { WriteStream } from 'node:tty'
import { coloured, plain } from '../output/style.ts'
import type { Screen } from './world.ts'

export function screenOf(stream: NodeJS.WriteStream, colours: boolean): Screen {
  const isTerminal = stream.isTTY === true
  const terminal = stream as Partial<WriteStream>
  return {
    isTerminal,
    get columns() {
      return terminal.columns || 80
    },
    get rows() {
      return terminal.rows || 24
    },
    style: isTerminal && colours ? coloured : plain,
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => (error ? reject(error) : resolve()))
      }),
    onResize(listener) {
      stream.on('resize', listener)
      return () => stream.off('resize', listener)
    },
  }
}
