/** Nothing in the repository is true on one machine only. */
import { lineAt, type Offence, type RepoFile, type Rule } from './rule.ts'

/** Written apart, so that this file does not offend itself. */
const hosts = [
  ['registry', 'npmjs', 'org'],
  ['registry', 'yarnpkg', 'com'],
  ['proxy', 'golang', 'org'],
  ['sum', 'golang', 'org'],
  ['deb', 'debian', 'org'],
  ['registry-1', 'docker', 'io'],
  ['registry', 'k8s', 'io'],
  ['gcr', 'io'],
  ['ghcr', 'io'],
  ['quay', 'io'],
].map((parts) => parts.join('\\.'))

const patterns: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`\\b(?:${hosts.join('|')})\\b`, 'g'), 'names the host of a registry'],
  [/(?<![\w.$}~-])\/(?:work|root|home|Users|tmp)\/[\w.-]/g, 'names a folder of one machine'],
]

export const noPlaces: Rule = {
  name: 'no host or machine path',
  check: (files) => files.filter(({ path }) => path !== 'LICENSE').flatMap(checkFile),
}

function checkFile({ path, text }: RepoFile): Offence[] {
  return patterns.flatMap(([pattern, what]) =>
    [...text.matchAll(pattern)].map((match) => ({
      path,
      line: lineAt(text, match.index),
      what: `${match[0]}… ${what}`,
    })),
  )
}
