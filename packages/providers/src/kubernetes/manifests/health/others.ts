/** Kinds without pods that say in their own way whether they are ready. */
import { at, listAt, textAt } from '../fields.ts'
import { conditionOf, createdAt, isBehind, phaseOf } from './conditions.ts'
import { failed, type Health, ready, waiting } from './verdict.ts'

export const thereHealth = (object: unknown): Health => ready(createdAt(object))

export function claimHealth(object: unknown): Health {
  const phase = phaseOf(object)
  if (phase === 'Bound') return ready()
  if (phase === 'Lost') return failed('its volume is lost')
  return waiting('it is not bound to a volume yet')
}

export function volumeHealth(object: unknown): Health {
  const phase = phaseOf(object)
  const said = textAt(object, 'status', 'message')
  if (phase === 'Failed') return failed(said ?? 'it could not be reclaimed')
  if (phase === 'Available' || phase === 'Bound' || phase === 'Released') return ready()
  return waiting('it is not available yet')
}

export function serviceHealth(object: unknown): Health {
  if (textAt(object, 'spec', 'type') !== 'LoadBalancer') return thereHealth(object)
  if (listAt(object, 'status', 'loadBalancer', 'ingress').length > 0) return ready()
  return waiting('its load balancer has no address yet')
}

/** Many controllers never write an address, so none is waited for. */
export function ingressHealth(object: unknown): Health {
  const [first] = listAt(object, 'status', 'loadBalancer', 'ingress')
  const address = textAt(first, 'hostname') ?? textAt(first, 'ip')
  return ready(createdAt(object), address === undefined ? undefined : `at ${address}`)
}

export function definitionHealth(object: unknown): Health {
  const names = conditionOf(object, 'NamesAccepted')
  if (names?.status === 'False') return failed(names.message ?? 'its names are taken')
  const established = conditionOf(object, 'Established')
  if (established?.status === 'True') return ready(established.at)
  return waiting(established?.message ?? 'it is not established yet')
}

export function apiServiceHealth(object: unknown): Health {
  const available = conditionOf(object, 'Available')
  if (available?.status === 'True') return ready(available.at)
  return waiting(available?.message ?? 'it is not available yet')
}

export function namespaceHealth(object: unknown): Health {
  const phase = phaseOf(object)
  return phase === undefined || phase === 'Active' ? thereHealth(object) : waiting(`it is ${phase}`)
}

export function budgetHealth(object: unknown): Health {
  return isBehind(object) || at(object, 'status') === undefined
    ? waiting('its controller has not seen the last change yet')
    : thereHealth(object)
}

/** What it has no figures for it cannot scale; that is told, and keeps nobody waiting. */
export function autoscalerHealth(object: unknown): Health {
  const active = conditionOf(object, 'ScalingActive')
  return ready(createdAt(object), active?.status === 'False' ? active.message : undefined)
}
