/** Pure: what a container was made in spite of. */

/** On a container whose image is for another kind of machine: in words, so that they are told for as long as it is there. */
export const warningLabel = 'gantry.dev/warning'

/** What the daemon warned of when it made a container, beside what we said of it already. */
export function otherWarnings(own: string | undefined, said: readonly string[] | null): string[] {
  const all = (said ?? []).map((words) => words.trim().replace(/\.$/, ''))
  // Its word about the kind of machine has no name of an image in it; ours has.
  return all.filter((words) => words !== '' && (own === undefined || !/platform/i.test(words)))
}
