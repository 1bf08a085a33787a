/** The shapes that most questions to an engine have. */
import { type Call, isFault } from '@gantry/core'
import type { Filters } from './types/events.ts'
import type { Wire, WireRequest } from './wire.ts'

export async function jsonOf<Value>(wire: Wire, request: WireRequest, call: Call): Promise<Value> {
  return JSON.parse((await wire.ask(request, call)).body.toString('utf8')) as Value
}

/** Undefined for what is not there. */
export async function jsonIfThere<Value>(wire: Wire, path: string, call: Call): Promise<Value | undefined> {
  return ifThere(() => jsonOf<Value>(wire, { method: 'GET', path }, call))
}

export async function ifThere<Value>(look: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await look()
  } catch (error) {
    if (isFault(error) && error.reason === 'engine_object_not_found') return undefined
    throw error
  }
}

export async function done(wire: Wire, request: WireRequest, call: Call): Promise<void> {
  await wire.ask(request, call)
}

/** Gone is as good as removed. */
export async function removed(wire: Wire, request: WireRequest, call: Call): Promise<void> {
  await ifThere(() => wire.ask(request, call))
}

/** As the engine wants them in a query; undefined where there are none. */
export function filterText(filters: Filters | undefined): string | undefined {
  return filters === undefined || Object.keys(filters).length === 0 ? undefined : JSON.stringify(filters)
}

export const escaped = encodeURIComponent
