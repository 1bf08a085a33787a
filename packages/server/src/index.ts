export type { FetchLike } from './app/inject.ts'
export type { HttpLimits } from './app/limits.ts'
export type { Log } from './app/log.ts'
export type { Authenticate, Credentials } from './auth/authenticate.ts'
export {
  type ControlPlane,
  type ControlPlaneOptions,
  createControlPlane,
  type Listening,
  type Rates,
} from './control-plane.ts'
export { type KeySource, keySource } from './vault/key-source.ts'
