/** Pure: how an update goes where replicas hold ports of the machine. */
import type { Desired } from '../desired.ts'

/** A port of the machine can be held by one replica only: then the old one goes before the new one comes. */
export function updatable(desired: Desired): Desired {
  const holds = desired.services.some(({ ports }) => ports.some(({ hostPort }) => hostPort > 0))
  if (!holds || desired.update.type === 'recreate') return desired
  const { minReadySeconds } = desired.update
  return { ...desired, update: { type: 'rolling', maxSurge: 0, maxUnavailable: 1, minReadySeconds } }
}
