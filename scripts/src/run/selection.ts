/** Which tests are worth running again on another version of Node: a run has its time, and a second one must find something. */

/** Where Node itself is underneath (files, sockets, processes, streams), what is pure and quick, and the program that people start. */
const closeToNode = [
  'packages/core/',
  'packages/reconcile/',
  'packages/store/',
  'packages/edge/',
  'packages/api/',
  'packages/providers/src/local/',
  'packages/providers/src/docker/api/',
  'packages/providers/src/kubernetes/api/',
  'packages/providers/src/docker/streams/',
  'packages/server/src/app/',
  'packages/server/src/serve/',
  'packages/server/src/streams/',
  'packages/server/src/watch/',
  'packages/cli/src/commands/',
  'examples/',
]

/** Of that, not what tries the same code with thousands of inputs, deaths or faults: these find mistakes of ours, not of a Node. */
const oncePerRun = [
  '**/crashes.test.ts',
  '**/fuzz.test.ts',
  '**/validator/**',
  '**/supervisor/kill.test.ts',
  '**/local/contract.test.ts',
  // Long talks with a server or an engine, of which every single way is tried elsewhere.
  '**/cli/src/commands/{rollout,open,delete,completion,provider}/**',
  '**/cli/src/commands/installation.test.ts',
  '**/serve/unit.test.ts',
  '**/port-forward/tunnel.test.ts',
]

/** On a version between two others, not what needs a whole cluster for it. */
const onNewestOnly = ['**/kubernetes/api/{pods,objects,troubles,discovery}.test.ts']

/** For a version that lies between two others, what would show first that Node itself behaves otherwise. */
const firstSigns = [
  'packages/core/',
  'packages/reconcile/',
  'packages/edge/',
  'packages/api/',
  'packages/store/src/sqlite/',
  'packages/providers/src/local/supervisor/',
  'packages/server/src/serve/',
  'packages/server/src/streams/',
  'packages/cli/src/commands/up/',
  'examples/',
]

export type Selection = {
  /** Arguments of vitest. */
  readonly filters: readonly string[]
  /** What is excluded goes by a variable, as vitest's own flag does not reach our projects. */
  readonly env: { readonly GANTRY_TEST_EXCLUDE: string }
}

/** Node 20 runs everything; the newest what is close to Node. */
export function selectionFor(version: string): Selection {
  const isBetween = version.startsWith('22.')
  const excluded = isBetween ? [...oncePerRun, ...onNewestOnly] : oncePerRun
  // Separated so that a pattern may have commas of its own.
  return { filters: isBetween ? firstSigns : closeToNode, env: { GANTRY_TEST_EXCLUDE: excluded.join(' ') } }
}
