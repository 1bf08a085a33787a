/** A noisy replica: waits for a word, then writes all its lines as fast as they are taken. */
import { writeSync } from 'node:fs'
import { lineOf, linesEach } from './lines.ts'

const perWrite = 600

const chunks: Buffer[] = []
for (let from = 0; from < linesEach; from += perWrite) {
  const to = Math.min(linesEach, from + perWrite)
  const lines = Array.from({ length: to - from }, (_, at) => lineOf(from + at))
  chunks.push(Buffer.from(`${lines.join('\n')}\n`))
}

process.send?.('ready')
process.once('message', () => {
  for (const chunk of chunks) writeAll(chunk)
  process.disconnect()
})

function writeAll(chunk: Buffer): void {
  let at = 0
  while (at < chunk.length) {
    try {
      at += writeSync(1, chunk, at)
    } catch (error) {
      // Nobody takes it at the moment.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}
