/** The controllers of workloads, rollouts and instances at work on one simulated engine, in virtual time. */
import type { ObjectOf, RolloutPhase, RolloutSpec, WorkloadInput } from '@gantry/core'
import type { Engine } from '@gantry/providers'
import { instanceController } from '../instance/controller.ts'
import { rolloutController, wakeRollouts } from '../rollout/controller.ts'
import { wakeInstances } from '../wake.ts'
import { workloadController } from '../workload/controller.ts'
import { call, openRoom, type Room, scope } from './room.ts'
import { ScriptedEdge } from './scripted-edge.ts'

export type Fleet = Room & {
  readonly edge: ScriptedEdge
  /** Writes the workload `web` as a user would; what is left out is as before. */
  deploy(spec: Partial<WorkloadInput>): Promise<void>
  /** Changes what a person may still say about a rollout. */
  say(rollout: string, words: Partial<Pick<RolloutSpec, 'paused' | 'promote' | 'resume' | 'abort'>>): Promise<void>
  /** Lets time pass until it holds; throws with what there is after so much virtual time. */
  until(holds: () => Promise<boolean>, withinMs?: number): Promise<void>
  /** Until the rollout is in this phase. */
  reach(rollout: string, phase: RolloutPhase, withinMs?: number): Promise<ObjectOf<'Rollout'>>
  /** Lets time pass, whatever happens. */
  pass(ms: number): Promise<void>
  stop(): Promise<void>
}

const tickMs = 100

/** `engine`: more of it than the simulated one has. */
export async function startFleet(more: Partial<Engine> = {}): Promise<Fleet> {
  const room = await openRoom()
  await room.apply('Provider', 'here', { type: 'simulated', tenants: ['*'] })
  await room.deps.hub.keep('here', { engine: { ...room.engine, ...more } }, call)
  await room.clock.advance(0)
  const edge = new ScriptedEdge(room.clock)
  const deps = { ...room.deps, traffic: edge }
  const instances = instanceController(deps)
  const rollouts = rolloutController(deps)
  const controllers = [workloadController(deps), rollouts, instances]
  const leave = [wakeInstances(deps.hub, instances), wakeRollouts(edge, rollouts)]
  for (const controller of controllers) controller.start()
  const watching = new AbortController()
  const followed = follow()
  let spec: WorkloadInput = { replicas: 2, services: [{ name: 'web', image: 'app:1' }] }

  async function follow(): Promise<void> {
    try {
      for await (const change of room.store.changes(scope, { kind: 'Rollout', since: 0 }, watching)) {
        if (change.type === 'put') edge.see(change.object as ObjectOf<'Rollout'>)
      }
    } catch (error) {
      if (!watching.signal.aborted) throw error
    }
  }

  async function until(holds: () => Promise<boolean>, withinMs = 600_000): Promise<void> {
    for (let passed = 0; passed <= withinMs; passed += tickMs) {
      await quiet()
      if (await holds()) return
      await room.clock.advance(tickMs)
    }
    throw new Error(`not reached in ${withinMs} ms of virtual time: ${await everything()}`)
  }

  async function everything(): Promise<string> {
    const kinds = ['Workload', 'Rollout', 'Instance'].map((kind) => room.store.list(scope, { kind, limit: 20 }, call))
    const objects = (await Promise.all(kinds)).flatMap(({ items }) => items)
    const shown = objects.map(({ kind, metadata, status }) => `${kind} ${metadata.name} ${JSON.stringify(status)}`)
    return [...shown, ...room.troubles.map(({ message }) => message)].join('\n')
  }

  return {
    ...room,
    edge,
    async deploy(changes) {
      spec = { ...spec, ...changes }
      await room.apply('Workload', 'web', spec)
    },
    async say(name, words) {
      const rollout = await room.read('Rollout', name)
      if (!rollout) throw new Error(`there is no rollout ${name}`)
      const key = { kind: 'Rollout', tenant: 'shop', name }
      const draft = { key, spec: { ...rollout.spec, ...words }, labels: rollout.metadata.labels }
      await room.store.write(scope, [{ op: 'replace', draft }], {}, call)
    },
    until,
    async reach(name, phase, withinMs) {
      await until(async () => (await room.read('Rollout', name))?.status.phase === phase, withinMs)
      const reached = await room.read('Rollout', name)
      if (!reached) throw new Error('it was just read')
      return reached
    },
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += tickMs) {
        await quiet()
        await room.clock.advance(tickMs)
      }
      await quiet()
    },
    async stop() {
      for (const end of leave) end()
      await Promise.all(controllers.map((controller) => controller.stop({ deadlineMs: 1000 }, call)))
      watching.abort(new Error('the test is over'))
      await followed
      await room.close()
    },
  }
}

/** Some turns of the event loop: a write and what follows from it, without time passing. */
async function quiet(): Promise<void> {
  for (let turns = 0; turns < 12; turns += 1) await new Promise((resolve) => setImmediate(resolve))
}
