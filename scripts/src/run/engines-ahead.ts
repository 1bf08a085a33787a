/** Whether a run may want engines, so that their programs are made before any test waits for them. */

/** Rooms with tests that ask for one. */
const rooms = ['engines', 'providers', 'server', 'cli', 'bench', 'examples', 'store', 'kubernetes', 'docker'] as const

/** A run of everything does; one of a part if its name says so. */
export function wantsEngines(args: readonly string[]): boolean {
  const parts = args.filter((arg) => !arg.startsWith('-'))
  if (args.length === 0) return true
  return parts.some((part) => rooms.some((room) => part.split('/').includes(room)))
}
