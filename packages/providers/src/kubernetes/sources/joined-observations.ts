/**
 * What several see of one engine, as one: a snapshot has all of theirs, and comes once all have given theirs; whoever is blind
 * makes the whole blind, until it sees again.
 */
import type { Call, Fault } from '@gantry/core'
import { channel, failOnAbort } from '../../channel.ts'
import type { Observation, Observed } from '../../observed.ts'
import { refKey } from '../../ref.ts'

type Part = { instances: Map<string, Observed> | undefined }

export async function* joinedObservations(
  sources: readonly ((call: Call) => AsyncIterable<Observation>)[],
  call: Call,
): AsyncIterable<Observation> {
  call.signal.throwIfAborted()
  const out = channel<Observation>()
  const own = new AbortController()
  const forget = failOnAbort(out, call.signal)
  const parts: Part[] = sources.map(() => ({ instances: undefined }))
  /** What was told last: nothing yet, all of it, or that it cannot be seen. */
  let state: 'nothing' | 'seen' | 'blind' = 'nothing'

  const blind = (fault: Fault, at: Date): void => {
    if (state !== 'blind') out.push({ type: 'blind', fault, at })
    state = 'blind'
  }

  const all = (at: Date): void => {
    state = 'seen'
    out.push({ type: 'snapshot', instances: parts.flatMap((each) => [...(each.instances?.values() ?? [])]), at })
  }

  const hear = (part: Part, seen: Observation): void => {
    if (seen.type === 'blind') {
      part.instances = undefined
      blind(seen.fault, seen.at)
    } else if (seen.type === 'snapshot') {
      part.instances = new Map(seen.instances.map((each) => [refKey(each.ref), each]))
      if (parts.every(({ instances }) => instances)) all(seen.at)
    } else {
      if (seen.type === 'changed') part.instances?.set(refKey(seen.instance.ref), seen.instance)
      else part.instances?.delete(refKey(seen.ref))
      if (state === 'seen') out.push(seen)
    }
  }

  const follow = async (part: Part, source: (call: Call) => AsyncIterable<Observation>): Promise<void> => {
    for await (const seen of source({ signal: own.signal })) hear(part, seen)
  }
  sources.forEach((source, at) => {
    const part = parts[at]
    if (!part) return
    follow(part, source).catch((error: unknown) => {
      if (!own.signal.aborted) out.fail(error)
    })
  })
  try {
    yield* out
  } finally {
    forget()
    own.abort(new Error('nobody observes any more'))
  }
}
