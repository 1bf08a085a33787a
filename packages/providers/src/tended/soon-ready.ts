/**
 * A pass that has started something waits a moment for it to be up. Most programs are within that time, and then there is
 * one word about them where there would be several, each of which is written down durably while they need the machine.
 */
import { type Call, isFault, withDeadline } from '@gantry/core'
import type { ServicePhase } from '../observed.ts'
import type { Ref } from '../ref.ts'
import { decided } from './decided.ts'
import type { TendedSite } from './tended-site.ts'

const momentMs = 300

/** True: all of it is ready. False: the moment is over, or it will not be ready by waiting. */
export async function soonReady(site: TendedSite, ref: Ref, call: Call): Promise<boolean> {
  const moment = withDeadline(site.clock, momentMs, 'Waiting for what was just started', call)
  try {
    return await decided(site, ref, () => verdictOn(site, ref), moment)
  } catch (error) {
    call.signal.throwIfAborted()
    // The moment is over, or the engine is lost.
    if (isFault(error)) return false
    throw error
  } finally {
    moment.clear()
  }
}

/** What a service passes through on its way up. */
const onTheWay: ReadonlySet<ServicePhase> = new Set(['waiting', 'starting', 'running', 'completed'])

/** `undefined`: not yet. */
function verdictOn(site: TendedSite, ref: Ref): { readonly is: boolean } | undefined {
  const observed = site.observed(ref)
  const staying = observed?.replicas.filter(({ terminating }) => !terminating) ?? []
  if (staying.length === 0 || observed?.stalled) return { is: false }
  if (staying.every(({ ready }) => ready)) return { is: true }
  const services = staying.flatMap((replica) => Object.values(replica.services))
  return services.every(({ phase }) => onTheWay.has(phase)) ? undefined : { is: false }
}
