/** `@gantry/providers/local`: processes of this machine as an engine. */
export { type LocalEngine, localEngine } from './index.ts'
export type { LocalOptions } from './options.ts'
export { type ConnectOptions, connectSupervisor } from './supervisor/client/connect.ts'
export type { ProcessSeen } from './supervisor/process-seen.ts'
export type { ProcessSpec } from './supervisor/process-spec.ts'
export type { Supervisor } from './supervisor/supervisor.ts'
