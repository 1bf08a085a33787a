/** A process that uses an engine, started and killed by tests: `engine-user.js shared|private`. Says on stdout what it got. */
import { engine, startPrivate } from '../index.ts'

const signal = AbortSignal.timeout(120_000)

async function use(): Promise<unknown> {
  if (process.argv[2] === 'shared') return engine('postgres', { signal })
  const { address } = await startPrivate('postgres', { signal })
  return { state: 'ready', address }
}

const answer = await use().catch((error: unknown) => ({ state: 'threw', why: String(error) }))
console.log(JSON.stringify(answer))
// Until it is killed, or told by the end of its input that the test is done.
process.stdin.resume()
process.stdin.on('end', () => process.exit())
