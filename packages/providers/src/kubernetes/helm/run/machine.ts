/** Where a process can be looked for: on this machine, in this boot of it, among the processes that we see. */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

export type HelmMachine = {
  /** For people. */
  readonly name: string
  readonly boot: string
  /** Processes of another namespace are not seen from here, though the machine is the same. */
  readonly processes: string
}

export function thisMachine(): HelmMachine {
  return {
    name: hostname(),
    boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    processes: readlinkSync('/proc/self/ns/pid'),
  }
}

/** `seen`: its processes are ours to look for. `gone`: the machine was started anew since, so nothing of then lives. */
export function seenFrom(here: HelmMachine, there: HelmMachine): 'seen' | 'gone' | 'unseen' {
  if (there.boot === here.boot) return there.processes === here.processes ? 'seen' : 'unseen'
  return there.name === here.name ? 'gone' : 'unseen'
}
