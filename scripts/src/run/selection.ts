/** Which tests are worth running again on another version of Node: a run has its time, and a second one must find something. */

/** What is shipped, and not the tools that only ever run on the Node that they were started with. */
const shipped = ['packages/', 'examples/', 'bench/']

/** Of that, not what tries the same code with thousands of inputs, deaths or faults: these find mistakes of ours, not of a Node. */
const oncePerRun = [
  '**/harness/harness.test.ts',
  '**/harness/harness.docker.test.ts',
  '**/crash/**',
  '**/crashes.test.ts',
  '**/fuzz/**',
  '**/fuzz.test.ts',
  '**/chaos/**',
  '**/validator/**',
  '**/nothing-lies.*',
  '**/supervisor/kill.test.ts',
  '**/liars.test.ts',
  '**/docker/**/faults/**',
]

/** Where Node itself is underneath: files, sockets, processes, streams; and the program that people start. */
const closeToNode = [
  'packages/store/',
  'packages/edge/',
  'packages/api/',
  'packages/providers/src/local/',
  'packages/providers/src/docker/api/',
  'packages/server/src/serve/',
  'packages/server/src/streams/',
  'packages/cli/src/commands/',
  'examples/',
]

/** The newest gets all that may differ; what passes there and on the oldest hardly fails in between, but for what is close to Node. */
export function selectionOn(version: string, others: readonly string[]): string[] {
  const isNewest = others.every((other) => major(other) <= major(version))
  return [...(isNewest ? shipped : closeToNode), ...oncePerRun.flatMap((pattern) => ['--exclude', pattern])]
}

function major(version: string): number {
  return Number(version.split('.')[0])
}
