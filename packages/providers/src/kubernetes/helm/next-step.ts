/** What is to be done about a release, from what is known of it. Pure: every way to be interrupted is a row of its test. */
import type { Failure, Operation } from './record.ts'
import { type KnownContent, type KnownRevision, madeOf } from './release/revisions.ts'

export type Wanted = { readonly release: string; readonly specHash: string }

export type Situation = {
  /** Oldest first. */
  readonly history: readonly KnownRevision[]
  readonly known?: KnownContent
  /** What our record says was begun and is not settled yet, and whether its helm lives. */
  readonly operation?: Operation & { readonly helm: 'alive' | 'dead' | 'unknown' }
  /** Of the last try. */
  readonly failure?: Failure
  /** Left out: nothing shall be there. */
  readonly wanted?: Wanted
  readonly now: number
}

export type NextStep =
  /** It is as it shall be, as far as Helm knows. */
  | { readonly do: 'nothing' }
  /** Read as "waiting for …". */
  | { readonly do: 'wait'; readonly for: string; readonly until: number }
  /** A helm of ours runs that must not go on. */
  | { readonly do: 'end'; readonly why: string }
  /** What our helm did is to be read from what it left, and the record set free. */
  | { readonly do: 'settle' }
  /** A revision that no helm works on any more, and that would refuse every further one. */
  | { readonly do: 'unlock'; readonly revision: number }
  | { readonly do: 'upgrade'; readonly from: number }
  | { readonly do: 'rollback'; readonly to: number; readonly from: number }
  | { readonly do: 'uninstall'; readonly why: string; readonly from: number }

/** After this long nobody's helm is at work any more: twice what helm itself gives an operation. */
const foreignPatienceMs = 10 * 60_000

export function nextStep(situation: Situation): NextStep {
  return (
    ofRunning(situation) ?? ofPending(situation) ?? ofEnded(situation) ?? ofFailure(situation) ?? ofHistory(situation)
  )
}

/** One helm at a time for each release: first comes what was begun. */
function ofRunning({ operation, wanted, now }: Situation): NextStep | undefined {
  if (!operation || operation.helm === 'dead') return undefined
  const { verb, until } = operation
  const isLate = now >= until
  if (operation.helm === 'unknown') {
    // On another machine it is neither seen nor ended from here; but it does not outlive its limit.
    return isLate ? undefined : { do: 'wait', for: `helm ${verb}, which runs on ${operation.host.name}`, until }
  }
  if (isLate) return { do: 'end', why: 'it has taken longer than it may' }
  // An uninstall clears the way, whoever it is for.
  const serves = verb === 'uninstall' || operation.specHash === wanted?.specHash
  return serves ? { do: 'wait', for: `helm ${verb}`, until } : { do: 'end', why: 'something else is wanted now' }
}

/** `pending-*` with no helm of ours that lives: a death left it, or somebody else is at work. */
function ofPending({ history, operation, now, wanted }: Situation): NextStep | undefined {
  const top = history.at(-1)
  if (!top?.status.startsWith('pending-')) return undefined
  const isOurs =
    operation !== undefined && top.revision >= operation.revision - (operation.verb === 'uninstall' ? 1 : 0)
  const until = (top.updated?.getTime() ?? 0) + foreignPatienceMs
  if (!isOurs && now < until) {
    return { do: 'wait', for: `a helm of somebody else, which began revision ${top.revision}`, until }
  }
  const from = top.revision
  if (!wanted) return { do: 'uninstall', why: 'it is to go', from }
  // Not all hooks of the install have run, and an upgrade over it would never run them.
  if (!wasDeployed(history)) return { do: 'uninstall', why: 'the first install was interrupted', from }
  return { do: 'unlock', revision: top.revision }
}

const ofEnded = ({ operation }: Situation): NextStep | undefined => (operation ? { do: 'settle' } : undefined)

/** What has just failed is not tried again at once, unless another thing is wanted. */
function ofFailure({ failure, wanted, history, known, now }: Situation): NextStep | undefined {
  if (!failure || failure.specHash !== wanted?.specHash || now >= failure.againAt) return undefined
  if (wanted && isDeployed(wanted, history, known)) return undefined
  return { do: 'wait', for: `another try, since ${failure.message}`, until: failure.againAt }
}

function ofHistory({ history, wanted, known }: Situation): NextStep {
  const top = history.at(-1)
  const from = top?.revision ?? 0
  if (!wanted) return top ? { do: 'uninstall', why: 'it is to go', from } : { do: 'nothing' }
  if (!top) return { do: 'upgrade', from }
  if (isDeployed(wanted, history, known)) return { do: 'nothing' }
  // Whoever began it: there is no way back from there.
  if (top.status === 'uninstalling') return { do: 'uninstall', why: 'an uninstall was interrupted', from }
  // An install that failed has run some of its hooks; an upgrade over it would leave out the others.
  if (top.status === 'failed' && !wasDeployed(history) && hasInstallHooks(top)) {
    return { do: 'uninstall', why: 'the first install failed', from }
  }
  const before = revisionOf(wanted, history)
  return before ? { do: 'rollback', to: before.revision, from } : { do: 'upgrade', from }
}

/** Whether the newest revision is deployed, and made of what is wanted. */
export function isDeployed(wanted: Wanted, history: readonly KnownRevision[], known?: KnownContent): boolean {
  const top = history.at(-1)
  return top?.status === 'deployed' && madeOf(top, history, known)?.specHash === wanted.specHash
}

/** That very release, as it ran once: its chart too is the one of then, whatever the repository has today. */
function revisionOf(wanted: Wanted, history: readonly KnownRevision[]): KnownRevision | undefined {
  return history.findLast((revision) => {
    const made = revision.status === 'superseded' ? madeOf(revision, []) : undefined
    return made?.specHash === wanted.specHash && made.release === wanted.release
  })
}

const wasDeployed = (history: readonly KnownRevision[]): boolean =>
  history.some(({ status }) => status === 'deployed' || status === 'superseded')

const hasInstallHooks = ({ hooks }: KnownRevision): boolean =>
  hooks.some(({ events }) => events?.some((event) => event === 'pre-install' || event === 'post-install'))
