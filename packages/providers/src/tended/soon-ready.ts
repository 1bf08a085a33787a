/**
 * A pass that has started something waits a moment for it to be up. Most programs are within that time, and then there is
 * one word about them where there would be several, each of which is written down durably while they need the machine.
 */
import { type Call, orAbort, withDeadline } from '@gantry/core'
import type { ServicePhase } from '../observed.ts'
import { type Ref, refKey } from '../ref.ts'
import type { TendedSite } from './tended-site.ts'

const momentMs = 300

/** True: all of it is ready. False: the moment is over, or it will not be ready by waiting. */
export async function soonReady(site: TendedSite, ref: Ref, call: Call): Promise<boolean> {
  const moment = withDeadline(site.clock, momentMs, 'Waiting for what was just started', call)
  let leave = (): void => undefined
  const settled = new Promise<boolean>((resolve) => {
    const look = (): void => {
      const verdict = verdictOn(site, ref)
      if (verdict !== undefined) resolve(verdict)
    }
    leave = site.listen((event) => {
      if (event.type === 'lost') resolve(false)
      else if (event.type === 'found' || refKey(event.ref) === refKey(ref)) look()
    })
    look()
  })
  try {
    return await orAbort(settled, moment)
  } catch (error) {
    if (moment.passed()) return false
    throw error
  } finally {
    leave()
    moment.clear()
  }
}

/** What a service passes through on its way up. */
const onTheWay: ReadonlySet<ServicePhase> = new Set(['waiting', 'starting', 'running', 'completed'])

/** `undefined`: not yet. */
function verdictOn(site: TendedSite, ref: Ref): boolean | undefined {
  const observed = site.observed(ref)
  const staying = observed?.replicas.filter(({ terminating }) => !terminating) ?? []
  if (staying.length === 0 || observed?.stalled) return false
  if (staying.every(({ ready }) => ready)) return true
  const services = staying.flatMap((replica) => Object.values(replica.services))
  return services.every(({ phase }) => onTheWay.has(phase)) ? undefined : false
}
