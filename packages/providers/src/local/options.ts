/** What the `local` engine is given. Time, randomness and ids are parameters, and so is its supervisor. */
import type { Clock } from '@gantry/core'
import type { Leaving } from '../leaving.ts'
import type { Supervisor } from './supervisor/supervisor.ts'

export type LocalOptions = {
  /** Of the server, 0700. What processes of other users must reach lies beside it. */
  readonly dataDir: string
  readonly installation: string
  readonly clock: Clock
  readonly leaving: Leaving
  /** Left out: that of the data folder, which is found or started. */
  readonly supervisor?: Supervisor
  /** Folder for what processes must reach; left out: beside the data folder where they run as other users, else in it. */
  readonly runDir?: string
  /** Who we are; left out: as the process is. Only root can run processes as other users. */
  readonly self?: { readonly uid: number; readonly gid: number }
  /** Users (`uid` or `uid:gid`, numbers) that a spec may name besides the one it would run as anyway. */
  readonly allowUsers?: readonly string[]
  /** Where ports of replicas are taken from; below what this machine takes for outgoing connections. */
  readonly ports?: { readonly from: number; readonly to: number }
  /** From 0 up to 1. */
  readonly random?: () => number
  /** Short, and never the same twice. */
  readonly ids?: () => string
  /** What is told to every process from the environment of the server: PATH, LANG, TZ. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}
