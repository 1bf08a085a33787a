/** What one engine file promises. The rig around it does the rest: sharing, records of processes, cleaning up. */
import type { ChildProcess } from 'node:child_process'
import type { Call } from '@gantry/core'

export interface EngineDefinition<Address> {
  readonly name: string
  /** Keys the cache: another version is another installation, never an update in place. */
  readonly version: string
  /** How its main process is asked to end, gently first; each signal gets a few seconds before the next one. */
  readonly endSignals: readonly NodeJS.Signals[]
  /** Why this machine cannot have it, or undefined if it can. Looks only: installs and starts nothing. */
  probe(call: Call): Promise<string | undefined>
  /** Makes its programs ready for use, once per version; called again, it finds them. Answers the folder they are in. */
  install(call: Call): Promise<string>
  /** Starts one instance on data of its own below `site.folder`, and answers only when it truly serves. */
  start(site: Site, call: Call): Promise<Running<Address>>
  /**
   * Takes off the machine what an instance left there besides its folder and its recorded processes, which are gone by
   * now: mounts below the folder, interfaces, rules. Goes by what lies in the folder, since its keeper may have been
   * killed; finding nothing is fine. Left out: there is nothing else.
   */
  clear?(folder: string, call: Call): Promise<void>
}

/** The folder of an instance, below the one that its keeper has its own files in. */
export const instanceFolder = 'instance'

/** Where one instance lives: everything it writes is below `folder`, every process it starts goes through `spawn`. */
export interface Site {
  readonly folder: string
  /** What `install` answered. */
  readonly programs: string
  /** What a private instance was asked to be like; the engine's own file says which words it knows. */
  readonly settings: Settings
  /** Starts a program (an argument list, never a shell) and records it on disk, so that it can be ended after any crash. */
  spawn(program: string, args: readonly string[], options: SpawnOptions): ChildProcess
}

export type Settings = Readonly<Record<string, string>>

export type SpawnOptions = {
  readonly env: Readonly<Record<string, string>>
  /** A file that output of both streams is appended to. */
  readonly output: string
  readonly as?: { readonly uid: number; readonly gid: number } | undefined
  /** Which permissions of what it makes it leaves out; left out: all but the owner's, as the keeper does. */
  readonly umask?: number
}

/** `fast` ends sessions and flushes; `immediate` is as near to a crash as the engine can be asked to go. */
export type RestartMode = 'fast' | 'immediate'

export interface Running<Address> {
  /** JSON, since it travels from the keeper to its users. Stays the same over a restart. */
  readonly address: Address
  /** Resolves with a description when the engine ended without having been told to. Never rejects. */
  readonly ended: Promise<string>
  /** Resolves when it serves again, with the same data at the same address. */
  restart(mode: RestartMode, call: Call): Promise<void>
  /** Resolves when its processes are gone. */
  stop(call: Call): Promise<void>
}
