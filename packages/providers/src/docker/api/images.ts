/** Images over the wire. */
import { type Call, Fault, isFault } from '@gantry/core'
import type { ImagesApi, PullOptions } from './api.ts'
import { jsonLines } from './json-lines.ts'
import { escaped, jsonIfThere, removed } from './questions.ts'
import type { Image, PullProgress, RegistryAuth } from './types/images.ts'
import type { Wire, WireRequest } from './wire.ts'

/** A line of a long answer: an error in it is the only sign of failure, since the status was sent long before. */
type Line = PullProgress & { readonly error?: string; readonly errorDetail?: { readonly message?: string } }

export function imagesApi(wire: Wire): ImagesApi {
  return {
    inspect: (reference, call) => jsonIfThere<Image>(wire, `/images/${pathOf(reference)}/json`, call),
    pull: (reference, options, call) => pull(wire, reference, options, call),
    async load(archive, call) {
      const request = { method: 'POST', path: '/images/load', query: { quiet: true }, archive } as const
      for await (const line of jsonLines<Line>(await wire.open(request, call))) {
        if (line.error) throw new Fault('engine_refused', `Docker did not take the image in: ${line.error}`)
      }
    },
    async tag(id, repo, tag, call) {
      await wire.ask({ method: 'POST', path: `/images/${pathOf(id)}/tag`, query: { repo, tag } }, call)
    },
    remove: (reference, call) => removed(wire, { method: 'DELETE', path: `/images/${pathOf(reference)}` }, call),
  }
}

async function pull(wire: Wire, reference: string, options: PullOptions, call: Call): Promise<void> {
  const { auth, platform, onProgress } = options
  const request: WireRequest = {
    method: 'POST',
    path: '/images/create',
    query: { ...pullQuery(reference), platform },
    headers: auth ? { 'x-registry-auth': authHeader(auth) } : {},
    // It answers only when the registry has, which may be slow; how long is for whoever waits.
    moreMs: 'forever',
  }
  for await (const line of jsonLines<Line>(await wire.open(request, call).catch(refused))) {
    const error = line.errorDetail?.message ?? line.error
    if (error !== undefined) throw failed(reference, error)
    onProgress?.(line)
  }

  function refused(error: unknown): never {
    const isRefusal = isFault(error) && error.reason !== 'engine_unreachable' && error.reason !== 'engine_full'
    if (!isRefusal || call.signal.aborted) throw error
    throw failed(reference, error.message, error)
  }
}

function failed(reference: string, why: string, cause?: unknown): Fault {
  const reason = /no space left on device/i.test(why) ? 'engine_full' : 'image_pull_failed'
  return new Fault(reason, `Image ${reference} could not be pulled: ${why}`, { cause })
}

/** Without a tag the engine would pull all of them. */
export function pullQuery(reference: string): { readonly fromImage: string; readonly tag?: string } {
  if (reference.includes('@')) return { fromImage: reference }
  const colon = reference.lastIndexOf(':')
  if (colon < 0 || reference.includes('/', colon)) return { fromImage: reference, tag: 'latest' }
  return { fromImage: reference.slice(0, colon), tag: reference.slice(colon + 1) }
}

/** The header is base64 for addresses, with its padding. */
export function authHeader(auth: RegistryAuth): string {
  return Buffer.from(JSON.stringify(auth)).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

/** A reference has slashes that are part of the path. */
function pathOf(reference: string): string {
  return reference.split('/').map(escaped).join('/')
}
