export { type Call, type Deadline, orAbort, sleep, withDeadline } from './abort.ts'
export { type Clock, systemClock } from './clock.ts'
export {
  asFault,
  Fault,
  type FaultKind,
  type FaultMore,
  faultMeaning,
  type Issue,
  isFault,
  isRetryable,
} from './fault.ts'
export { type FaultReason, faultReasons } from './fault-reasons.ts'
export type { Condition, ConditionStatus, GantryObject, Metadata, ObjectKey, OwnerRef, Status } from './object.ts'
