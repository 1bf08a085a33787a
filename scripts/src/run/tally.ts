/** What came of one run of the suite, counted from the runner's own objects. */
import { stripVTControlCharacters } from 'node:util'
import type { SerializedError } from 'vitest'
import type { TestCase, TestModule, TestSuite } from 'vitest/node'

export type Skip = { readonly file: string; readonly title: string; readonly why: string | undefined }

/** What the end of a long run says again of a failure, which it told in full hundreds of lines before. */
export type Failure = {
  readonly file: string
  readonly title: string
  readonly message: string
  /** How what came differs from what was expected: of a message alone, the part that tells may be cut off. */
  readonly diff?: readonly string[]
}

export type Tally = {
  readonly passed: number
  /** Tests that failed, and besides every file or suite that broke by itself and every error outside of a test. */
  readonly failed: number
  readonly skipped: number
  readonly skips: readonly Skip[]
  readonly failures: readonly Failure[]
  /** The run was cut short. */
  readonly interrupted: boolean
}

type Told = { readonly message: string; readonly diff?: string }

const messageLength = 300
const diffLines = 16

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0, skips: [], failures: [], interrupted: false }

export function tallyOf(
  modules: readonly TestModule[],
  strayErrors: readonly SerializedError[],
  interrupted: boolean,
): Tally {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const groups = modules.flatMap((module) => [module, ...module.children.allSuites()])
  const broken = groups.filter((group) => group.errors().length > 0)
  const counted = (state: string): TestCase[] => tests.filter((test) => test.result().state === state)
  // A test that never came to its end is not one that passed.
  const unfinished = counted('pending')
  return {
    passed: counted('passed').length,
    failed: counted('failed').length + unfinished.length + broken.length + strayErrors.length,
    skipped: counted('skipped').length,
    skips: counted('skipped').map(skipOf),
    failures: [
      ...counted('failed').map((test) => failureOf(test, test.fullName, test.result().errors)),
      ...unfinished.map((test) => failureOf(test, test.fullName, [{ message: 'it never came to its end' }])),
      ...broken.map((group) => failureOf(group, group.type === 'suite' ? group.fullName : '', group.errors())),
      ...strayErrors.map((error) => ({ file: 'outside of a test', title: '', message: firstLine([error]) })),
    ],
    interrupted,
  }
}

function failureOf(
  from: TestCase | TestSuite | TestModule,
  title: string,
  errors: readonly Told[] | undefined,
): Failure {
  const module = from.type === 'module' ? from : from.module
  const diff = stripVTControlCharacters(errors?.[0]?.diff ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, diffLines)
    .map(shortened)
  return {
    file: module.relativeModuleId,
    title,
    message: firstLine(errors),
    ...(diff.length > 0 && { diff }),
  }
}

function firstLine(errors: readonly Told[] | undefined): string {
  return shortened(errors?.[0]?.message.split('\n')[0] ?? '')
}

function shortened(line: string): string {
  return line.length > messageLength ? `${line.slice(0, messageLength)}…` : line
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
    failures: [...a.failures, ...b.failures],
    interrupted: a.interrupted || b.interrupted,
  }
}
