/** Apply and plan. */
import { type AnyObject, endpoints } from '@gantry/api'
import { type Call, Fault, type Issue, isFault, type ObjectOf, type PlanStep, type WorkloadSpec } from '@gantry/core'
import { implement, type Routes } from '../app/implement.ts'
import { isSamePlan, movedSince } from '../apply/plan-hash.ts'
import { type Prepared, prepare } from '../apply/prepare.ts'
import { view } from '../objects/annotations.ts'
import { auditDetail } from '../objects/changes.ts'
import { inCallersWords } from '../objects/store-faults.ts'
import { isOvertaken } from '../objects/write.ts'
import type { RouteDeps } from './deps.ts'

/** How often somebody else may be faster before it is told as a conflict. */
const tries = 5

export function objectRoutes(deps: RouteDeps): Routes['objects'] {
  return {
    plan: implement(endpoints.objects.plan, async ({ access, body, identity, signal }) => {
      const prepared = await prepare(deps, access, 'read', { ...body, by: identity.name }, { signal })
      const steps = await Promise.all(prepared.writes.map((write) => withEngine(deps, write, { signal })))
      return { text: JSON.stringify({ ...prepared.plan(), steps }) }
    }),

    apply: implement(endpoints.objects.apply, async ({ access, body, identity, recording, signal }) => {
      for (let left = tries; ; left -= 1) {
        const prepared = await prepare(deps, access, 'write', { ...body, by: identity.name }, { signal })
        if (body.plan !== undefined && !isSamePlan(body.plan, prepared.plan().hash))
          throw movedFault(body.plan, prepared)
        const changes = prepared.writes.flatMap(({ step }) => step.changes)
        const detail = {
          objects: prepared.writes.map(({ step }) => [step.action, step.object]),
          ...auditDetail(changes),
        }
        const { limits, requires } = prepared
        const context = { audit: recording.draft({ detail }), limits, requires }
        const { first } = prepared
        const commands = [...first, ...prepared.writes.map(({ command }) => command), ...prepared.contents]
        try {
          const written = await deps.store.write(prepared.scope, commands, context, { signal })
          const { resourceVersion } = written
          const results = written.results.slice(first.length, first.length + prepared.writes.length)
          for (const result of results) deps.events.wrote(result, identity.name)
          const body = results.map(({ did, object }, at) => ({
            did,
            object: view(object) as unknown as AnyObject,
            reverts: [...(prepared.writes[at]?.step.reverts ?? [])],
          }))
          return { body: { results: body, resourceVersion } }
        } catch (error) {
          if (!isFault(error)) throw error
          const isRace = isOvertaken(error)
          if (isRace && body.plan !== undefined) throw racedFault(error)
          if (!isRace || left <= 1) throw inCallersWords(error, (index) => placeOf(prepared, index - first.length))
        }
      }
    }),
  }
}

/** The step, with what engines would do. Only a plan asks for it: to an apply it makes no difference. */
async function withEngine(
  { engineSteps }: RouteDeps,
  { step, command, live, sources }: Prepared['writes'][number],
  call: Call,
): Promise<PlanStep> {
  const { kind, tenant, name } = step.object
  if (kind !== 'Workload' || tenant === undefined || step.action === 'keep') return step
  const after = 'draft' in command ? (command.draft.spec as WorkloadSpec) : undefined
  const before = live as ObjectOf<'Workload'> | undefined
  const engine = await engineSteps({ tenant, name, live: before, after, ...(sources && { sources }) }, call)
  return { ...step, engine }
}

function movedFault(given: string, { seen }: Prepared): Fault {
  const moved = movedSince(given, seen())
  const issues: Issue[] = moved.map((message) => ({ path: 'plan', message }))
  const what = moved.length > 0 ? moved.join('; ') : 'something that it was made from has moved'
  return new Fault('plan_moved', `The plan no longer holds: ${what}. Nothing was done; make a new plan`, { issues })
}

function racedFault({ message }: Fault): Fault {
  return new Fault('plan_moved', `The plan no longer holds: ${message}. Nothing was done; make a new plan`)
}

function placeOf({ writes }: Prepared, at: number): string {
  const index = writes[at]?.index
  return index === undefined ? 'prune' : `objects[${index}]`
}
