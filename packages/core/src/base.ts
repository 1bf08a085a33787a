/** The few words that small programs need (supervisor, edge): importing these loads no schemas, which would cost 20 MB. */
export { type Call, type Deadline, orAbort, sleep, withDeadline } from './abort.ts'
export { type Clock, systemClock } from './clock.ts'
export { type Deferred, deferred } from './deferred.ts'
export { asFault, Fault, type FaultMore, type Issue, isFault, type PublicFault, publicFault } from './fault.ts'
export { type FaultReason, faultReasons } from './fault-reasons.ts'
export { type Joined, joinSignals, onAbort } from './on-abort.ts'
export { isSecret, Secret } from './secret.ts'
