/** Images over the wire. */
import { type Call, Fault, isFault } from '@gantry/core'
import type { ImagesApi, PullOptions } from './api.ts'
import { wordsOf } from './faults.ts'
import { jsonLines } from './json-lines.ts'
import { escaped, jsonIfThere, jsonOf, removed } from './questions.ts'
import type { DistributedImage, Image, PullProgress, RegistryAuth } from './types/images.ts'
import type { Wire, WireRequest } from './wire.ts'

/** A line of a long answer: an error in it is the only sign of failure, since the status was sent long before. */
type Line = PullProgress & { readonly error?: string; readonly errorDetail?: { readonly message?: string } }

export function imagesApi(wire: Wire): ImagesApi {
  return {
    inspect: (reference, call) => jsonIfThere<Image>(wire, `/images/${pathOf(reference)}/json`, call),
    pull: (reference, options, call) => pull(wire, reference, options, call),
    async distributed(reference, auth, call) {
      const request = {
        method: 'GET',
        path: `/distribution/${pathOf(reference)}/json`,
        headers: authHeaders(auth),
      } as const
      const answer = jsonOf<DistributedImage>(wire, request, call)
      return await answer.catch((error: unknown) => notHad(reference, 'looked up', error, call))
    },
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
    headers: authHeaders(auth),
    // It answers only when the registry has, which may be slow; how long is for whoever waits.
    moreMs: 'forever',
  }
  const answer = await wire.open(request, call).catch((error: unknown) => notHad(reference, 'pulled', error, call))
  for await (const line of jsonLines<Line>(answer)) {
    const error = line.errorDetail?.message ?? line.error
    if (error !== undefined) throw failed(reference, 'pulled', error)
    onProgress?.(line)
  }
}

/** What the engine refuses here are the words of a registry, whatever the status; the rest is thrown as it is. */
function notHad(reference: string, what: string, error: unknown, { signal }: Call): never {
  const others: readonly unknown[] = ['engine_unreachable', 'engine_full', 'deadline_exceeded']
  if (signal.aborted || !isFault(error) || others.includes(error.reason)) throw error
  throw failed(reference, what, wordsOf(error), error)
}

function failed(reference: string, what: string, why: string, cause?: unknown): Fault {
  const reason = /no space left on device/i.test(why) ? 'engine_full' : 'image_pull_failed'
  return new Fault(reason, `Image ${reference} could not be ${what}: ${why}`, { cause })
}

/** Without a tag the engine would pull all of them. */
export function pullQuery(reference: string): { readonly fromImage: string; readonly tag?: string } {
  if (reference.includes('@')) return { fromImage: reference }
  const colon = reference.lastIndexOf(':')
  if (colon < 0 || reference.includes('/', colon)) return { fromImage: reference, tag: 'latest' }
  return { fromImage: reference.slice(0, colon), tag: reference.slice(colon + 1) }
}

function authHeaders(auth: RegistryAuth | undefined): Readonly<Record<string, string>> {
  return auth ? { 'x-registry-auth': authHeader(auth) } : {}
}

/** The header is base64 for addresses, with its padding. */
export function authHeader(auth: RegistryAuth): string {
  return Buffer.from(JSON.stringify(auth)).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

/** A reference has slashes that are part of the path. */
function pathOf(reference: string): string {
  return reference.split('/').map(escaped).join('/')
}
