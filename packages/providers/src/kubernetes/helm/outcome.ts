/** What became of a run of helm, read from what it left; that it ended well is never taken from its exit code. Pure. */
import type { FaultReason } from '@gantry/core'
import type { Failure, HelmRecord, Operation } from './record.ts'
import { type KnownRevision, madeOf } from './release/revisions.ts'

export type Outcome =
  | { readonly state: 'succeeded'; readonly known?: HelmRecord['known'] }
  /** `interrupted`: its helm was killed before it could say anything. */
  | Told
  /** Its namespace is on its way out: what it did goes too, and is no verdict about what is wanted. */
  | { readonly state: 'in vain' }

/** `said` is what it wrote to its errors, where that can be read. */
export function outcomeOf(operation: Operation, history: readonly KnownRevision[], said: string | undefined): Outcome {
  const { verb, revision, specHash } = operation
  if (verb === 'uninstall') return history.length === 0 ? { state: 'succeeded' } : failed(operation, said, history)
  const own = history.findLast((one) => one.revision >= revision && one.status === 'deployed')
  const made = own && madeOf(own, history)
  if (own && made && made.specHash === specHash) return { state: 'succeeded', known: { content: own.content, ...made } }
  return failed(operation, said, history)
}

function failed({ verb, revision }: Operation, said: string | undefined, history: readonly KnownRevision[]): Outcome {
  const own = history.findLast((one) => one.revision >= revision && one.status === 'failed')
  const written = own?.description === interruptedWords ? undefined : own?.description
  const words = (said && wordsOf(said)) || written
  if (!words) return deathOf({ verb })
  if (/because it is being terminated/i.test(words)) return { state: 'in vain' }
  return { state: 'failed', reason: 'rollout_stalled', message: `helm ${verb} failed: ${words}` }
}

/** What stands in the record until the next try. */
export type Told = { readonly state: 'interrupted' | 'failed'; readonly reason: FaultReason; readonly message: string }

export const deathOf = ({ verb }: Pick<Operation, 'verb'>): Told => ({
  state: 'interrupted',
  reason: 'rollout_stalled',
  message: `helm ${verb} was killed before it had ended`,
})

/** What a revision is called that a helm left pending when it died. */
export const interruptedWords = 'Interrupted: the helm that made this revision has died'

const longestWords = 2_000

/** What Helm calls the error; what comes before it are lines of its log. */
export function wordsOf(said: string): string {
  const lines = said.trim().split('\n')
  const at = lines.findLastIndex((line) => line.startsWith('Error: '))
  const told = at < 0 ? lines : lines.slice(at)
  return told
    .join('\n')
    .replace(/^Error: /, '')
    .slice(0, longestWords)
    .trim()
}

const firstAgainMs = 10_000
const longestAgainMs = 5 * 60_000

/** The next try is further away each time, for as long as the same is wanted; a death is made good at once, the first time. */
export function failureAfter(
  before: Failure | undefined,
  { state, reason, message }: Told,
  specHash: string | undefined,
  now: number,
): Failure {
  const tries = before && before.specHash === specHash ? before.tries + 1 : 1
  const isFirstDeath = state === 'interrupted' && tries === 1
  const afterMs = isFirstDeath ? 0 : Math.min(firstAgainMs * 3 ** (tries - 1), longestAgainMs)
  return { ...(specHash !== undefined && { specHash }), reason, message, at: now, tries, againAt: now + afterMs }
}
