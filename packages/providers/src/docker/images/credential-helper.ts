/** The programs that keep people's passwords for Docker: asked over stdin, and what they say is never logged. */
import { spawn } from 'node:child_process'
import { type Call, type Clock, Fault, onAbort, withDeadline } from '@gantry/core'

/** A helper may ask a person, or a service far away. */
const answerMs = 20_000
const longestAnswer = 64 * 1024

/** What helpers say, by agreement, where they have nothing. */
const nothingThere = 'credentials not found in native keychain'

/** The answer as it came; undefined where it knows none. Throws `engine_refused` without a word of what it said. */
export async function askHelper(helper: string, server: string, clock: Clock, call: Call): Promise<string | undefined> {
  const program = `docker-credential-${helper}`
  if (!/^[\w.-]+$/.test(helper)) throw failed(program, 'is no name of a program')
  const deadline = withDeadline(clock, answerMs, `The answer of ${program}`, call)
  try {
    const { code, output } = await run(program, server, deadline)
    if (code === 0) return output
    if (output.trim() === nothingThere) return undefined
    throw failed(program, `ended with ${code === null ? 'a signal' : `exit code ${code}`}`)
  } finally {
    deadline.clear()
  }
}

type Ended = { readonly code: number | null; readonly output: string }

function run(program: string, input: string, { signal }: Call): Promise<Ended> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const child = spawn(program, ['get'], { stdio: ['pipe', 'pipe', 'ignore'] })
    const chunks: Buffer[] = []
    let size = 0
    const leave = onAbort(signal, () => child.kill('SIGKILL'))
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= longestAnswer) chunks.push(chunk)
      else child.kill('SIGKILL')
    })
    child.once('error', (cause) => {
      leave()
      reject(failed(program, 'could not be run', cause))
    })
    child.once('close', (code) => {
      leave()
      if (signal.aborted) reject(signal.reason)
      else resolve({ code, output: Buffer.concat(chunks).toString('utf8') })
    })
    // One that ends without reading is told by how it ended.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}

const failed = (program: string, how: string, cause?: unknown): Fault =>
  new Fault('engine_refused', `Docker's settings leave the login to ${program}, which ${how}`, { cause })
