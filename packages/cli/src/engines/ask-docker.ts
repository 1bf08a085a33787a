/** Who listens at an address: a Docker Engine, something else, or nobody. */
import { request as plainRequest } from 'node:http'
import { type Call, type Clock, onAbort, withDeadline } from '@gantry/core'
import { type Place, placeOf } from './place.ts'
import type { Certificates } from './read-certificates.ts'

export type DockerAnswer =
  | { readonly version: string; readonly api: string }
  /** In a word or two: `ENOENT`, `no answer in time`. */
  | { readonly trouble: string }

const withinMs = 2000
/** An engine says in a few kilobytes who it is; whatever says more is none. */
const mostBytes = 65_536

export async function askDocker(
  endpoint: string,
  certificates: Certificates | undefined,
  clock: Clock,
  call: Call,
): Promise<DockerAnswer> {
  const place = placeOf(endpoint, certificates ? 2376 : 2375)
  if (!place) return { trouble: 'no address of a Docker Engine: unix:///path/to/socket or tcp://host:port' }
  const deadline = withDeadline(clock, withinMs, 'Asking Docker who it is', call)
  try {
    return read(await ask(place, certificates, deadline))
  } catch (error) {
    call.signal.throwIfAborted()
    if (deadline.passed()) return { trouble: 'no answer in time' }
    return { trouble: error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : 'unknown' }
  } finally {
    deadline.clear()
  }
}

async function ask(place: Place, certificates: Certificates | undefined, { signal }: Call): Promise<string> {
  const request = certificates ? (await import('node:https')).request : plainRequest
  return await new Promise((resolve, reject) => {
    const where = 'path' in place ? { socketPath: place.path, headers: { host: 'docker' } } : place
    const asked = request({ ...where, ...certificates, path: '/version', agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (text.length > mostBytes) answer.destroy(new Error('no Docker Engine: it says too much'))
      })
      answer.once('error', reject)
      answer.once('end', () => resolve(text))
    })
    const leave = onAbort(signal, () => asked.destroy())
    asked.once('error', reject)
    asked.once('close', () => {
      leave()
      reject(new Error('the answer broke off'))
    })
    asked.end()
  })
}

function read(text: string): DockerAnswer {
  try {
    const { Version, ApiVersion } = JSON.parse(text) as { Version?: unknown; ApiVersion?: unknown }
    if (typeof Version === 'string' && typeof ApiVersion === 'string') return { version: Version, api: ApiVersion }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return { trouble: 'no Docker Engine: something else answers' }
}
