/**
 * The order in which test files are begun. A clean checkout does not know how long each takes, and vitest then begins with the
 * largest: but the longest are the shortest to read (a contract, a harness), came last, and one core waited for the other.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** By their seconds when they were last looked at; such as mostly wait beside such as mostly work. */
export const longest: readonly string[] = [
  'packages/providers/src/kubernetes/contract.test.ts',
  'packages/providers/src/local/contract.test.ts',
  'packages/server/src/chaos/first-half.test.ts',
  'packages/server/src/chaos/second-half.test.ts',
  'packages/providers/src/docker/contract.test.ts',
  'packages/store/src/sqlite/crashes.test.ts',
  'packages/server/src/harness/harness.test.ts',
  'packages/cli/src/commands/port-forward/tunnel.test.ts',
  'scripts/src/library/library.test.ts',
  'packages/server/src/harness/harness.docker.test.ts',
  'packages/providers/src/kubernetes/manifests/corpus.test.ts',
  'packages/server/src/harness/harness.kubernetes.test.ts',
  'packages/cli/src/guides/docker.test.ts',
  'packages/cli/src/guides/kubernetes.test.ts',
  'packages/server/src/whole/sources-killed.kubernetes.test.ts',
  'packages/providers/src/kubernetes/by-hand.test.ts',
  'engines/src/kubernetes/kubernetes.test.ts',
  'packages/server/src/whole/two-servers.test.ts',
  'packages/store/src/postgres/crashes.test.ts',
]

/** Those of a stage or a project stay together, as vitest wants it. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const place = new Map(sorted.map((file, at) => [file, at]))
    const key = (file: TestSpecification): readonly [number, string, number, number] => [
      file.project.config.sequence.groupOrder,
      file.project.name,
      rankOf(file.moduleId),
      place.get(file) ?? 0,
    ]
    return sorted.sort((left, right) => compare(key(left), key(right)))
  }
}

/** Those that are not among the longest come after all that are. */
export function rankOf(path: string): number {
  const at = longest.findIndex((each) => path.endsWith(`/${each}`))
  return at < 0 ? longest.length : at
}

function compare(left: readonly (number | string)[], right: readonly (number | string)[]): number {
  for (const [at, value] of left.entries()) {
    const other = right[at] ?? 0
    if (value !== other) return value < other ? -1 : 1
  }
  return 0
}
