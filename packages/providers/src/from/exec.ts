/** Finds the place that a command is to run in. */
import { type Call, Fault } from '@gantry/core'
import type { Engine } from '../engine.ts'
import type { ExecSession } from '../exec.ts'
import type { Observed, Replica } from '../observed.ts'
import type { ExecOptions } from '../provider.ts'
import { type Ref, refName } from '../ref.ts'

type Exec = NonNullable<Engine['exec']>

export async function execIn(
  engine: Pick<Engine, 'look'>,
  exec: Exec,
  ref: Ref,
  options: ExecOptions,
  call: Call,
): Promise<ExecSession> {
  const { service, replica, ...request } = options
  if (request.argv.length === 0) {
    throw new Fault('schema', 'A command has at least one word', {
      issues: [{ path: 'argv', message: 'must not be empty' }],
    })
  }
  const observed = await engine.look(ref, call)
  if (!observed) throw new Fault('instance_not_found', `There is nothing of ${refName(ref)} to run a command in`)
  const place = placeFor(observed, service, replica)
  return await exec(place.engineId, place.service, request, call)
}

/** Pure. */
export function placeFor(
  observed: Observed,
  service: string | undefined,
  index: number | undefined,
): { readonly engineId: string; readonly service: string } {
  const staying = observed.replicas.filter(({ terminating }) => !terminating)
  const named = index === undefined ? staying : staying.filter((replica) => replica.index === index)
  if (index !== undefined && named.length === 0) {
    const there = staying.map((replica) => replica.index).join(', ') || 'none'
    throw new Fault('replica_not_found', `There is no replica ${index}; there are: ${there}`)
  }
  const target = service ?? mainName(staying)
  const first = named.find(({ services }) => isUp(services[target]?.phase))
  if (first) return { engineId: first.engineId, service: target }
  if (named.length > 0 && !named.some(({ services }) => target in services)) {
    const there = Object.keys(named[0]?.services ?? {}).join(', ')
    throw new Fault('service_not_found', `There is no service ${target}; services: ${there}`)
  }
  const message = `No replica of ${refName(observed.ref)} runs ${target} now; start it, or look at its status`
  throw new Fault('service_not_running', message)
}

function mainName(replicas: readonly Replica[]): string {
  const all = replicas.flatMap(({ services }) => Object.entries(services))
  return all.find(([, { role }]) => role === 'main')?.[0] ?? 'main'
}

const isUp = (phase: string | undefined): boolean => phase === 'running' || phase === 'starting'
