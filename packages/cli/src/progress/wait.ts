/** Waits until workloads are what was asked for, and shows how far they are. Ends with a fault if one will not become it. */
import { Fault, formatDuration, withDeadline } from '@gantry/core'
import type { Where } from '../objects/find.ts'
import type { World } from '../world/world.ts'
import { failureLines } from './failure.ts'
import { pictures } from './picture.ts'
import { type Showing, showingOn } from './showing.ts'
import { sightOf, type WorkloadSight } from './sight.ts'
import { type Goal, type Verdict, verdictOn } from './verdict.ts'

/** Where nobody says how long: a rollout that gets nowhere fails by itself long before. */
const usualPatienceMs = 600_000

/** How they are in the end. */
export async function waitFor(goals: readonly Goal[], world: World): Promise<readonly WorkloadSight[]> {
  // Files may be about several tenants, and each is watched by itself.
  const tenants = new Set(goals.map(({ tenant }) => tenant))
  const sights: WorkloadSight[] = []
  for (const tenant of tenants) {
    const own = goals.filter((goal) => goal.tenant === tenant)
    sights.push(...(await waitIn(tenant, own, world)))
  }
  return sights
}

async function waitIn(tenant: string, goals: readonly Goal[], world: World): Promise<readonly WorkloadSight[]> {
  const patience = world.globals.timeoutMs ?? usualPatienceMs
  const deadline = withDeadline(world.clock, patience, 'Waiting', { signal: world.signal })
  const showing = showingOn(world.err, world.clock, (error) => deadline.end(error))
  const where: Where = { client: await world.client(), tenant, signal: deadline.signal }
  let sights: readonly WorkloadSight[] = []
  try {
    const verdicts = await decided(goals, where, async (now) => {
      sights = now
      await showing.show(now)
    })
    await tellFailures(goals, verdicts, world, showing)
    return sights
  } catch (error) {
    if (world.signal.aborted && error === world.signal.reason) await world.err.write(leaving(goals))
    throw deadline.passed() ? tooLong(goals, sights, patience) : error
  } finally {
    showing.end()
    deadline.clear()
  }
}

async function decided(
  goals: readonly Goal[],
  where: Where,
  show: (sights: readonly WorkloadSight[]) => Promise<void>,
): Promise<readonly Verdict[]> {
  const names = new Set(goals.map(({ workload }) => workload))
  for await (const picture of pictures(names, where)) {
    await show(goals.map((goal) => sightOf(goal, picture)))
    const verdicts = goals.map((goal) => verdictOn(goal, picture))
    if (verdicts.every(({ state }) => state !== 'waiting')) return verdicts
  }
  throw new Fault('unexpected', 'The watch ended by itself')
}

async function tellFailures(
  goals: readonly Goal[],
  verdicts: readonly Verdict[],
  world: World,
  showing: Showing,
): Promise<void> {
  showing.end()
  const failed = goals.flatMap(({ workload }, at) => {
    const verdict = verdicts[at]
    return verdict?.state === 'failed' ? [{ workload, verdict }] : []
  })
  if (failed.length === 0) return
  const lines = failed.flatMap(({ verdict }) => (verdict.rollout ? failureLines(verdict.rollout, world.err.style) : []))
  if (lines.length > 0) await world.err.write(`${lines.join('\n')}\n`)
  const what = failed.map(({ workload, verdict }) => `${workload} did not become what was asked for: ${verdict.why}`)
  const [first] = failed
  throw new Fault(
    'rollout_stalled',
    `${what.join('; ').replace(/\.$/, '')}. See "gantry logs ${first?.workload}" and "gantry events"`,
  )
}

function leaving(goals: readonly Goal[]): string {
  const names = goals.map(({ workload }) => workload)
  const [first] = names
  const some = names.length > 3 ? `${names.length} workloads` : names.join(', ')
  const goOn = names.length === 1 ? 'goes' : 'go'
  if (goals.every(({ want }) => want === 'gone')) {
    return `\nStopped watching; deleting ${some} goes on without it.\n`
  }
  return `\nStopped watching; ${some} ${goOn} on without it. "gantry rollout status ${first}" follows it again, "gantry rollout abort ${first}" takes it back.\n`
}

function tooLong(goals: readonly Goal[], sights: readonly WorkloadSight[], patience: number): Fault {
  const left = sights.filter(({ mood }) => mood !== 'good')
  const each = left.map(
    ({ name, headline, waitingFor }) =>
      `${name} ${headline}${waitingFor === undefined ? '' : `, waiting for ${waitingFor}`}`,
  )
  const what = each.length === 0 ? goals.map(({ workload }) => workload).join(', ') : each.join('; ')
  const time = formatDuration(patience)
  return new Fault(
    'deadline_exceeded',
    `Not done after ${time}: ${what}. It goes on without this program; --timeout waits longer`,
  )
}
