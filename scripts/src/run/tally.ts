/** What came of one run of the suite, counted from the runner's own objects. */
import type { TestCase, TestModule, TestSuite } from 'vitest/node'

export type Skip = { readonly file: string; readonly title: string; readonly why: string | undefined }

export type Tally = {
  readonly passed: number
  /** Tests that failed, and besides every file or suite that broke by itself and every error outside of a test. */
  readonly failed: number
  readonly skipped: number
  readonly skips: readonly Skip[]
  /** The run was cut short. */
  readonly interrupted: boolean
}

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0, skips: [], interrupted: false }

export function tallyOf(modules: readonly TestModule[], strayErrors: number, interrupted: boolean): Tally {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const groups = modules.flatMap((module) => [module, ...module.children.allSuites()])
  const broken = groups.filter((group) => group.errors().length > 0).length
  const counted = (state: string): TestCase[] => tests.filter((test) => test.result().state === state)
  // A test that never came to its end is not one that passed.
  const unfinished = counted('pending').length
  return {
    passed: counted('passed').length,
    failed: counted('failed').length + unfinished + broken + strayErrors,
    skipped: counted('skipped').length,
    skips: counted('skipped').map(skipOf),
    interrupted,
  }
}

function skipOf(test: TestCase): Skip {
  const result = test.result()
  const note = result.state === 'skipped' ? result.note : undefined
  return {
    file: test.module.relativeModuleId,
    title: test.fullName,
    why: note ?? whyOfTitle(test.fullName) ?? brokenAbove(test),
  }
}

/** A whole suite is skipped with its reason in its title: `on PostgreSQL (skipped: no server)`. */
export function whyOfTitle(title: string): string | undefined {
  return /\(skipped: ([^)]+)\)/.exec(title)?.[1]
}

function brokenAbove(test: TestCase): string | undefined {
  for (let above: TestSuite | TestModule = test.parent; ; above = above.parent) {
    if (above.errors().length > 0) return 'what prepares it failed'
    if (above.type === 'module') return undefined
  }
}

export function add(a: Tally, b: Tally): Tally {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    skips: [...a.skips, ...b.skips],
    interrupted: a.interrupted || b.interrupted,
  }
}
