/** A tool that installs applications and keeps them installed: Argo CD, or Helm directly. */
import type { Pass } from '../provisioner.ts'
import type { ApplicationSpec } from './application-spec.ts'

/** Who it is: the name, and the labels of its owner's scope in the order of their keys. Never a name made up by the tool. */
export type ApplicationId = { readonly name: string; readonly labels: readonly (readonly [string, string])[] }

export type ApplicationHealth = 'healthy' | 'progressing' | 'degraded' | 'missing' | 'unknown'

export type ObservedApplication = {
  /** The hash that came with the last apply of ours. */
  readonly hash: string | undefined
  /** What is installed is what was asked for. */
  readonly synced: boolean
  /** Undefined: the tool has not looked yet. */
  readonly health: ApplicationHealth | undefined
  readonly deleting: boolean
  /** The token of the last `recordHook`. */
  readonly hookedFor?: string
}

export type Removal = {
  /** False: only the record of it, because what it installed is gone already. */
  readonly cascade: boolean
}

/** Idempotent throughout. More than one application with the same id is a fault, never a guess. */
export interface ApplicationDriver {
  /** `undefined`: looked, and there is none. Being unable to look throws `unavailable`. */
  read(id: ApplicationId, pass: Pass): Promise<ObservedApplication | undefined>
  /** Makes it as asked for, whether it is there or not, and keeps the hash with it. */
  apply(id: ApplicationId, spec: ApplicationSpec, hash: string, pass: Pass): Promise<void>
  /** Asks it to go. Finalizers of others stay on it, and so it may stay for a while. Absent is success. */
  delete(id: ApplicationId, removal: Removal, pass: Pass): Promise<void>
  /** Keeps with the application that the hook for this token has run. */
  recordHook(id: ApplicationId, token: string, pass: Pass): Promise<void>
}
