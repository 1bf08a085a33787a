/** Where the workloads of an installation run, and how to see, past the server, all that is there of them. */
import type { Supervisor } from '@gantry/providers/local'
import type { System } from '../whole/testing/system.ts'
import type { WebOptions, webWorkload } from '../whole/testing/web-program.ts'
import type { Aim } from './trail.ts'

export const groundNames = ['local', 'docker', 'kubernetes'] as const
export type GroundName = (typeof groundNames)[number]

/** Who can be made to die. */
export type Victim = 'server' | 'edge' | 'supervisor' | 'daemon' | 'api'

export type Running = {
  readonly phase: string
  /** Another after every start. */
  readonly run: string
  readonly restarts: number
}

export type Lasting = {
  readonly name: string
  /** What the spec calls it. */
  readonly volume: string
  /** Another if it was made anew. */
  readonly id: string
}

/** What is known to be there; whatever belongs to none of it is left over. */
export type Belonging = {
  readonly running: ReadonlyMap<string, Running>
  readonly engineIds: readonly string[]
  /** Of the workload; `undefined`: there is none. */
  readonly uid: string | undefined
}

export interface Ground {
  /** How long all may take to come to what was asked for. */
  readonly patienceMs: number
  /** A workload as it must be to run here. */
  web(options: WebOptions): ReturnType<typeof webWorkload>
  /** Whether it can have a persistent volume, though its successor runs beside it for a while; left out: it can. */
  readonly volumes?: 'passing only'
  /** What a replica consists of, as `running` calls it. */
  partsOf(engineId: string): readonly string[]
  /** All that runs, or did and is still there, with the edge. Throws where it cannot be looked at. */
  running(): Promise<ReadonlyMap<string, Running>>
  /** Volumes that may outlive a replica; left out: nobody looks. */
  lasting?(): Promise<readonly Lasting[]>
  /** What else is there, each as a sentence. */
  strays(known: Belonging): Promise<readonly string[]>
  /** Waits for what goes in its time: when there is no workload any more, and before the server goes. */
  settle(): Promise<void>
  /** Whether nothing is left once the server has ended in order; left out: that is only so after `settle`. */
  isClear?(): Promise<boolean>
  /** Whom to send what, for this one to do nothing more from then on. */
  aimAt(victim: Victim): Promise<Omit<Aim, 'point'>>
  /** What lives no longer than this one. */
  endsWith(victim: Victim, part: string): boolean
  /** Has one back that was hit and does not come back by itself. */
  revive(victim: Victim): Promise<void>
  /** When the server is gone. What is left over of workloads that were all deleted: nothing, if all is well. */
  close(isSound: boolean): Promise<readonly string[]>
}

export type Installation = { readonly system: System; readonly supervisor: Supervisor }

/** What does not need an installation that runs can be made while it comes up. */
export type OpenGround = (installation: Promise<Installation>) => Promise<Ground>
