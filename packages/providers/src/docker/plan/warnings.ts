/** Pure: what a container was made in spite of. */

/** On a container whose image is for another kind of machine: in words, so that they are told for as long as it is there. */
export const warningLabel = 'gantry.dev/warning'

/** Of the machine as a whole, and said with every container: it stands once among the limits of the engine instead. */
const ofMachine = [/IPv4 forwarding is disabled/i, /swap limit/i]
/** Has no name of an image in it; ours has. */
const ofPlatform = /platform/i

/** What the daemon warned of when it made a container, beside what we said of it already. */
export function otherWarnings(own: string | undefined, said: readonly string[] | null): string[] {
  const known = own === undefined ? ofMachine : [...ofMachine, ofPlatform]
  const all = (said ?? []).map((words) => words.trim().replace(/\.$/, ''))
  return all.filter((words) => words !== '' && !known.some((each) => each.test(words)))
}
