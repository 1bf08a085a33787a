/**
 * What holds a replica's network while its services come and go: does nothing until it is told to end. As process 1 it
 * reaps whatever is left to it. In words that every machine's own file turns into its instructions.
 */
import type { Line } from './assemble.ts'

/** The calls to Linux that it makes; each machine has numbers of its own for them. */
export type SystemCall = 'rt_sigprocmask' | 'rt_sigtimedwait' | 'wait4' | 'exit_group'

/** A number, or the address of what a label stands before. */
export type Argument = number | { readonly addressOf: string }

export interface Words {
  call(name: SystemCall, ...args: readonly Argument[]): readonly Line[]
  /** What the last call answered, held against a number: jumps if it is above, equal, or not equal. */
  jumpIf(answer: 'above' | 'is' | 'is not', value: number, to: string): readonly Line[]
  /** Eight bytes that are no instructions. */
  data(value: number): readonly Line[]
}

const signal = { interrupt: 2, terminate: 15, childEnded: 17 }
const awaited = Object.values(signal).reduce((set, number) => set + 2 ** (number - 1), 0)
const setBytes = 8
const block = 0
const nothing = 0
const anyChild = -1
const withoutWaiting = 1

export function pauseProgram({ call, jumpIf, data }: Words): readonly Line[] {
  const set = { addressOf: 'awaited' }
  return [
    // Blocked, they wait to be taken. A process 1 that leaves them as they are would never see them.
    ...call('rt_sigprocmask', block, set, nothing, setBytes),
    { label: 'reap' },
    // Before the first wait too: a child may have ended before its signal was blocked.
    ...call('wait4', anyChild, nothing, withoutWaiting, nothing),
    ...jumpIf('above', 0, 'reap'),
    ...call('rt_sigtimedwait', set, nothing, nothing, setBytes),
    ...jumpIf('is', signal.interrupt, 'end'),
    // A child ended, or the wait was broken off (as when it is frozen and let go on): look, and wait again.
    ...jumpIf('is not', signal.terminate, 'reap'),
    { label: 'end' },
    ...call('exit_group', 0),
    { label: 'awaited' },
    ...data(awaited),
  ]
}
