import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { lightFiles } from './scripts/src/run/light-files.ts'
import { LongestFirst, longest } from './scripts/src/run/longest-first.ts'

/** Rooms whose tests start nothing and share nothing: their files run in one process, which halves the time they take. */
const pure = ['packages/core', 'packages/reconcile', 'packages/providers']

/** But for these parts of one: tests of local processes start them and wait for them, the others use an engine. */
const impure = ['packages/providers/src/local', 'packages/providers/src/docker', 'packages/providers/src/kubernetes']

const notWhole = [
  'packages/{core,reconcile}/**',
  'packages/providers/src/*.test.ts',
  'packages/providers/src/!(local|docker|kubernetes)/**',
]

/**
 * What nobody else may share a busy machine with: they count requests that fail, or end parts of an engine and wait for the others
 * to notice, and what they find must be ours and not of a neighbour. One after the other, when all else is done.
 */
const alone = [
  'packages/server/src/whole/zero-failed*.test.ts',
  'packages/edge/src/zero-failures.test.ts',
  'packages/providers/src/kubernetes/faults.parts.test.ts',
  'packages/providers/src/docker/{daemon-restart,disk-full}.test.ts',
]

/** What a room has beside its pure parts that starts nothing either; but not what goes on for minutes, which a neighbour waits for. */
const light = lightFiles(import.meta.dirname, [
  ...['api', 'cli', 'edge', 'server', 'store'].map((room) => `packages/${room}/src`),
  ...impure,
  'scripts/src',
]).filter((file) => !longest.includes(file))

/** Set for a run on another version of Node: see scripts/src/run/selection.ts. */
const excluded = (process.env.GANTRY_TEST_EXCLUDE ?? '').split(' ').filter((pattern) => pattern !== '')

export default defineConfig({
  // Tests run on the sources: a package is imported by its name and found through this condition, without a build.
  resolve: { conditions: ['gantry-source'] },
  ssr: { resolve: { conditions: ['gantry-source'] } },
  test: {
    pool: 'forks',
    // Many tests wait for other processes; a core is not left over for vitest itself, which mostly waits as well.
    maxWorkers: Math.max(2, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What is waited for comes at once or never, but on a busy machine "at once" is not within vitest's second.
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          isolate: false,
          include: pure.map((room) => `${room}/src/**/*.test.ts`),
          exclude: [...impure.map((part) => `${part}/**`), ...excluded, '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'light',
          isolate: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          include: light,
          exclude: [...alone, ...excluded, '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          testTimeout: 180_000,
          hookTimeout: 180_000,
          include: [...longest],
          exclude: [...excluded, '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          // They mostly wait for each other's programs and engines: two at a time leave a quarter of two cores unused.
          maxWorkers: Math.max(3, availableParallelism()),
          sequence: { groupOrder: 1 },
          // They start processes, and must not fail for a machine that is busy.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          include: ['{packages/*,engines,bench,scripts,examples/*}/src/**/*.test.ts'],
          exclude: [...notWhole, ...light, ...longest, ...alone, ...excluded, '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          testTimeout: 180_000,
          hookTimeout: 180_000,
          include: alone,
          exclude: [...excluded, '**/node_modules/**'],
        },
      },
    ],
  },
})
