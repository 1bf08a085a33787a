/** A rule of this repository: pure over the files it is given, so that each can be shown to fail. */
export type RepoFile = {
  /** From the root of the repository, with forward slashes. */
  readonly path: string
  readonly text: string
}

export type Offence = { readonly path: string; readonly line: number; readonly what: string }

export interface Rule {
  readonly name: string
  /** Everything that offends, at once. Gets every text file of the repository. */
  check(files: readonly RepoFile[]): Offence[]
}

export function isSource({ path }: RepoFile): boolean {
  return path.endsWith('.ts') && !path.endsWith('.d.ts')
}

/** What only tests load: the tests themselves, and what a room offers to the tests of others. */
export function isTest({ path }: RepoFile): boolean {
  return path.endsWith('.test.ts') || path.includes('/src/testing/')
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** One line per offence, as an editor can jump to it. */
export function inWords(rule: Rule, { path, line, what }: Offence): string {
  return `${path}:${line}: ${what} [${rule.name}]`
}
