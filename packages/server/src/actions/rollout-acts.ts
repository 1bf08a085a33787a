/** What a person says about a rollout, as a change of its spec. Saying it twice is saying it once. */
import type { AbortBody } from '@gantry/api'
import { endpoints } from '@gantry/api'
import {
  type Call,
  Fault,
  type GantryObject,
  hasEnded,
  isFault,
  type ObjectOf,
  type RolloutSpec,
  rolloutName,
} from '@gantry/core'
import type { TenantScope } from '@gantry/store'
import { implement, type Routes } from '../app/implement.ts'
import type { Recording } from '../app/request.ts'
import { viewText } from '../objects/annotations.ts'
import { inCallersWords } from '../objects/store-faults.ts'
import { absent } from '../objects/write.ts'
import type { RouteDeps } from '../routes/deps.ts'

type Rollout = ObjectOf<'Rollout'>
type Saying = (rollout: Rollout) => Partial<RolloutSpec>

export const pause: Saying = () => ({ paused: true })

/** After a failure that paused it, going on is a word of its own: more of it than when it failed. */
export const resume: Saying = ({ spec, status }) => ({
  paused: false,
  ...(status.failure && { resume: Math.max(spec.resume, (status.resumed ?? 0) + 1) }),
})

/** One more than were passed, not one more than were opened: an impatient second word does not open the next gate too. */
export const promote: Saying = ({ spec, status }) => ({ promote: Math.max(spec.promote, (status.gates ?? 0) + 1) })

export const abort =
  (by: string, { why = '' }: AbortBody): Saying =>
  ({ spec }) => ({ abort: spec.abort ?? { by, why } })

const tries = 10

type Asked = {
  readonly params: { readonly tenant: string; readonly name: string }
  readonly access: TenantScope
  readonly identity: { readonly name: string }
  readonly recording: Recording
  readonly signal: AbortSignal
}

export function rolloutActRoutes(deps: RouteDeps): Routes['rolloutActs'] {
  const own = endpoints.rolloutActs

  async function say(verb: string, request: Asked, saying: Saying) {
    for (let left = tries; ; left -= 1) {
      const rollout = await newestRollout(deps, request)
      const { phase } = rollout.status
      if (hasEnded(phase)) {
        const message = `Cannot ${verb} the rollout of ${request.params.name}: it has ended (${phase}); deploy again, or roll back`
        throw new Fault('illegal_transition', message)
      }
      try {
        return { text: viewText(await write(request, verb, rollout, { ...rollout.spec, ...saying(rollout) })) }
      } catch (error) {
        if (!isFault(error)) throw error
        if (error.reason !== 'generation_conflict' || left <= 1) throw inCallersWords(error, () => '')
      }
    }
  }

  async function write(
    { access, recording, identity, signal }: Asked,
    verb: string,
    { metadata, spec: before }: Rollout,
    spec: RolloutSpec,
  ): Promise<GantryObject> {
    const { name, tenant = '', labels, annotations, generation } = metadata
    const key = { kind: 'Rollout', tenant, name }
    const audit = recording.draft({ target: key, detail: { before, after: spec } })
    const draft = { key, spec, labels, annotations }
    const command = { op: 'replace', draft, ifGeneration: generation, ifAbsent: 'refuse' } as const
    const { results } = await deps.store.write(access, [command], { audit }, { signal })
    const [result] = results
    if (!result) throw new Fault('unexpected', 'The store has written, and says nothing about it')
    const message = `was told to ${verb}`
    if (result.did !== 'unchanged')
      deps.events.record(result.object, { type: 'normal', reason: 'Told', message, by: identity.name })
    return result.object
  }

  return {
    pause: implement(own.pause, (request) => say('pause', request, pause)),
    resume: implement(own.resume, (request) => say('resume', request, resume)),
    promote: implement(own.promote, (request) => say('promote', request, promote)),
    abort: implement(own.abort, (request) => say('abort', request, abort(request.identity.name, request.body))),
  }
}

/** Status may be behind: the next numbers are looked at too, until one is not there. */
async function newestRollout({ store }: RouteDeps, request: Asked): Promise<Rollout> {
  const { params, access, signal } = request
  const call: Call = { signal }
  const key = { kind: 'Workload', ...params }
  const workload = (await store.read(access, key, call)) as ObjectOf<'Workload'> | undefined
  if (!workload) throw absent(key)
  const known = Number(/-r(\d+)$/.exec(workload.status.rollout ?? '')?.[1] ?? 0)
  let newest: Rollout | undefined
  for (let number = Math.max(known, 1); ; number += 1) {
    const name = rolloutName(params.name, number)
    const found = (await store.read(access, { kind: 'Rollout', tenant: params.tenant, name }, call)) as
      | Rollout
      | undefined
    if (!found) break
    newest = found
  }
  if (newest) return newest
  throw new Fault('object_not_found', `${params.name} has had no rollout yet`)
}
