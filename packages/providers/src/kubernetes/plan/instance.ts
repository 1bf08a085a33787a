/** Pure: from what is desired to all objects of an instance. */
import type { Desired } from '../../desired.ts'
import type { Owner, PlannedInstance } from './planned.ts'
import type { PlanSettings } from './settings.ts'

/**
 * `owner` is left out while the Deployment or StatefulSet is not there yet; with it all others but claims carry a reference
 * to it. Desired must have passed `checkDesired`.
 */
export function planInstance(_desired: Desired, _settings: PlanSettings, _owner?: Owner): PlannedInstance {
  throw new Error('not written yet')
}
