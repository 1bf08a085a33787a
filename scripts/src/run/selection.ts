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
  'packages/providers/src/docker/streams/',
  'packages/server/src/app/',
  'packages/server/src/serve/',
  'packages/server/src/streams/',
  'packages/server/src/watch/',
  'packages/server/src/whole/zero-failed.test.ts',
  'packages/cli/src/commands/',
  'examples/',
]

/** Of that, not what tries the same code with thousands of inputs, deaths or faults: these find mistakes of ours, not of a Node. */
const oncePerRun = ['**/crashes.test.ts', '**/fuzz.test.ts', '**/validator/**', '**/supervisor/kill.test.ts']

/** `filters` are arguments of vitest; what is excluded goes by a variable, as its own flag does not reach our projects. */
export const onOtherNodes = { filters: closeToNode, env: { GANTRY_TEST_EXCLUDE: oncePerRun.join(',') } } as const
