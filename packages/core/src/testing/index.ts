export { everyField } from './every-field.ts'
export { VirtualClock } from './virtual-clock.ts'
