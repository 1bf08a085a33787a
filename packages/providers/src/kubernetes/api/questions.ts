/** The shapes that most questions to a server have. */
import { type Call, Fault, isFault } from '@gantry/core'
import type { Wire, WireRequest } from './wire.ts'

export async function jsonOf<Value>(wire: Wire, request: WireRequest, call: Call): Promise<Value> {
  return parsed<Value>(await wire.ask(request, call))
}

export function parsed<Value>(bytes: Buffer): Value {
  try {
    return JSON.parse(bytes.toString('utf8')) as Value
  } catch (cause) {
    const detail = bytes.toString('utf8', 0, 1_000)
    throw new Fault('bad_answer', 'The Kubernetes API answered with what is no JSON', { detail, cause })
  }
}

/** Undefined for what is not there. */
export async function ifThere<Value>(look: Promise<Value>): Promise<Value | undefined> {
  try {
    return await look
  } catch (error) {
    if (isFault(error) && error.reason === 'engine_object_not_found') return undefined
    throw error
  }
}
