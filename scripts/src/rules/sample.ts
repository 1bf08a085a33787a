/** For the tests of rules: files made up on the spot. */
import type { Offence, RepoFile, Rule } from './rule.ts'

export function file(path: string, text: string): RepoFile {
  return { path, text }
}

export function manifest(path: string, content: object): RepoFile {
  return { path, text: JSON.stringify(content) }
}

/** What the rule says of each, without where. */
export function saysOf(rule: Rule, ...files: readonly RepoFile[]): string[] {
  return rule.check(files).map(({ what }: Offence) => what)
}
