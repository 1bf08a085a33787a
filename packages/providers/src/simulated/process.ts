/** How processes of a replica live and die: order of start, health, exits, restarts with backoff, the end. */
import { startable, stopRank } from '../start-order.ts'
import { exitVerdict } from './exit-verdict.ts'
import { imageOf, pullFailure } from './images.ts'
import type { SimProcess, SimReplica } from './objects.ts'
import { probeTimes } from './probes.ts'
import { programOf } from './programs.ts'
import { beginProgram } from './run-program.ts'
import type { SimulatedWorld } from './world.ts'

export function beginReplica(world: SimulatedWorld, replica: SimReplica): void {
  const failure = pullFailure(world, replica.desired.services)
  const images = replica.desired.services.map(imageOf).filter((image) => image !== undefined)
  const absent = images.filter((image) => !world.pulled.has(image))
  if (failure || absent.length > 0) {
    for (const process of replica.services.values()) process.phase = 'pulling'
    world.clock.after(world.timing.pullMs, pulled)
  } else advance(world, replica)

  function pulled(): void {
    if (replica.terminating) return
    for (const process of replica.services.values()) process.phase = 'waiting'
    for (const image of failure ? [] : absent) world.pulled.add(image)
    if (failure) failReplica(world, replica, failure.service, 'image_pull_failed', failure.message)
    else advance(world, replica)
  }
}

/** Starts what may start now. Called whenever a service of the replica has come further. */
export function advance(world: SimulatedWorld, replica: SimReplica): void {
  if (replica.terminating || replica.failed) return
  const names = startable(replica.desired.services, (name) => progressOf(replica.services.get(name)))
  for (const name of names) {
    const process = replica.services.get(name)
    if (process) startProcess(world, replica, process)
  }
  noteReadiness(world, replica)
}

function progressOf(process: SimProcess | undefined): 'waiting' | 'started' | 'healthy' | 'completed' | 'failed' {
  if (!process || process.phase === 'waiting' || process.phase === 'pulling') return 'waiting'
  if (process.phase === 'completed') return 'completed'
  if (process.phase === 'crashed') return 'failed'
  if (process.ready) return 'healthy'
  return process.startedAt === undefined ? 'failed' : 'started'
}

function startProcess(world: SimulatedWorld, replica: SimReplica, process: SimProcess): void {
  process.phase = 'starting'
  process.startedAt = undefined
  later(world, process, world.timing.startMs, () => {
    process.startedAt = world.clock.now()
    process.message = undefined
    process.program = programOf(world, process.spec)
    beginProgram(world, process, (code) => exited(world, replica, process, code))
    watchHealth(world, replica, process)
    advance(world, replica)
  })
}

function watchHealth(world: SimulatedWorld, replica: SimReplica, process: SimProcess): void {
  const { healthyMs, unhealthyMs, givenUpMs } = probeTimes(process.spec, process.program)
  const ready = (): void => {
    process.phase = 'running'
    process.ready = process.spec.role !== 'init'
  }
  if (healthyMs === 0) ready()
  else if (healthyMs !== undefined) later(world, process, healthyMs, () => [ready(), advance(world, replica)])
  if (unhealthyMs !== undefined) later(world, process, unhealthyMs, () => unhealthy(world, replica, process))
  if (givenUpMs !== undefined) later(world, process, givenUpMs, () => unhealthy(world, replica, process))
}

function unhealthy(world: SimulatedWorld, replica: SimReplica, process: SimProcess): void {
  process.ready = false
  process.message = 'fails its health check'
  if (process.spec.healthCheck?.onUnhealthy === 'restart') exited(world, replica, process, 137)
  else noteReadiness(world, replica)
}

/** Also how a crash is made: whoever calls this has killed it. */
export function exited(world: SimulatedWorld, replica: SimReplica, process: SimProcess, code: number): void {
  stopTimers(process)
  process.ready = false
  process.exitCode = code
  process.message = code === 0 ? undefined : `exited with code ${code}`
  const { name, role } = process.spec
  const exit = { name, role, code, crashes: process.crashes, now: world.clock.now() }
  const verdict = exitVerdict(exit, (replica.instance.desired ?? replica.desired).restart)
  process.phase = verdict.outcome === 'completed' ? 'completed' : 'crashed'
  if (verdict.outcome === 'failed') failReplica(world, replica, name, verdict.reason, verdict.message)
  else if (verdict.outcome === 'completed') advance(world, replica)
  else {
    process.crashes = verdict.crashes
    later(world, process, verdict.afterMs, () => {
      process.restarts += 1
      startProcess(world, replica, process)
      world.changed(replica.instance)
    })
    noteReadiness(world, replica)
  }
}

function failReplica(
  world: SimulatedWorld,
  replica: SimReplica,
  service: string,
  reason: 'init_failed' | 'image_pull_failed' | 'rollout_stalled',
  message: string,
): void {
  const { instance } = replica
  replica.failed = reason === 'rollout_stalled' ? 'final' : 'again'
  const process = replica.services.get(service)
  if (process) Object.assign(process, { phase: 'crashed', message })
  instance.stalled = { reason, message, at: new Date(world.clock.now()), service, replica: replica.index }
  noteReadiness(world, replica)
}

/** Main is asked first; what it relies on, only when it is gone. */
export function endReplica(world: SimulatedWorld, replica: SimReplica, graceMs: number): void {
  replica.terminating = true
  replica.readySince = undefined
  const running = [...replica.services.values()].filter(
    ({ startedAt, phase }) => startedAt !== undefined && isUp(phase),
  )
  const order = running.sort((left, right) => stopRank[left.spec.role] - stopRank[right.spec.role])
  const next = (): void => {
    const process = order.shift()
    if (!process) {
      replica.ended = true
      world.changed(replica.instance)
      return
    }
    stopTimers(process)
    process.phase = 'stopping'
    process.ready = false
    later(world, process, process.program.ignoresTerm ? graceMs : Math.min(graceMs, world.timing.stopMs), () => {
      process.phase = 'stopped'
      process.exitCode = process.program.ignoresTerm ? 137 : 0
      next()
    })
  }
  for (const process of replica.services.values()) if (!order.includes(process)) stopQuiet(process)
  next()
  world.changed(replica.instance)
}

/** What runs inside a process ends with it. */
function stopTimers(process: SimProcess): void {
  for (const cancel of process.cancels.splice(0)) cancel()
  for (const end of process.commands) end()
}

function stopQuiet(process: SimProcess): void {
  stopTimers(process)
  process.ready = false
  if (process.phase !== 'completed') process.phase = 'stopped'
}

function noteReadiness(world: SimulatedWorld, replica: SimReplica): void {
  const long = [...replica.services.values()].filter(({ spec }) => spec.role !== 'init')
  const ready = !replica.terminating && !replica.failed && long.every((process) => process.ready)
  if (ready && replica.readySince === undefined) {
    replica.readySince = world.clock.now()
    replica.instance.stalled = undefined
  }
  if (!ready) replica.readySince = undefined
  world.changed(replica.instance)
}

function later(world: SimulatedWorld, process: SimProcess, ms: number, task: () => void): void {
  const cancel = world.clock.after(ms, () => {
    process.cancels = process.cancels.filter((each) => each !== cancel)
    task()
  })
  process.cancels.push(cancel)
}

const isUp = (phase: SimProcess['phase']): boolean => phase === 'starting' || phase === 'running'
