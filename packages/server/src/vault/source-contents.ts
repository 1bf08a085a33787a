/** What of a source lies in the vault: all that somebody else wrote, since nobody can tell which of it is secret. */
import { canonicalJson } from '@gantry/core'

/** A content of a spec, by the name that the vault knows it under, and where it stands. */
export type PlacedContent = { readonly name: string; readonly content: string; readonly path: string }

type Helm = {
  readonly chart?: { readonly archive?: string | undefined } | undefined
  readonly valuesFiles?: readonly string[] | undefined
  readonly values?: string | object | undefined
  readonly set?: Readonly<Record<string, unknown>> | undefined
}

/** A source in any form: as it was written, completed or read back. */
export type WithContents = {
  readonly manifests?: { readonly text?: string | undefined } | undefined
  readonly helm?: Helm | undefined
}

const names = {
  text: 'source/manifests',
  archive: 'source/chart',
  values: 'source/values',
  file: (at: number) => `source/values-file/${at}`,
  set: (key: string) => `source/set/${key}`,
} as const

/** Values are told apart by what they say, not by how they are written. */
const valuesText = (values: string | object): string => (typeof values === 'string' ? values : canonicalJson(values))

const isNothing = (values: string | object | undefined): boolean =>
  values === undefined || (typeof values === 'object' && Object.keys(values).length === 0)

export function sourceContents({ manifests, helm }: WithContents = {}): PlacedContent[] {
  const at = 'spec.source'
  const { chart, valuesFiles = [], values, set = {} } = helm ?? {}
  const one = (name: string, content: string | undefined, path: string): PlacedContent[] =>
    content === undefined ? [] : [{ name, content, path: `${at}.${path}` }]
  return [
    ...one(names.text, manifests?.text, 'manifests.text'),
    ...one(names.archive, chart?.archive, 'helm.chart.archive'),
    ...valuesFiles.flatMap((text, file) => one(names.file(file), text, `helm.valuesFiles[${file}]`)),
    ...(values === undefined || isNothing(values) ? [] : one(names.values, valuesText(values), 'helm.values')),
    ...Object.entries(set).flatMap(([key, value]) => one(names.set(key), String(value), `helm.set[${key}]`)),
  ]
}

/** The same source with other contents, for those that `other` has one for: as a text, or values as what they are. */
export function withSourceContents<Source extends WithContents>(
  source: Source,
  other: (name: string) => unknown,
): Source {
  const { manifests, helm } = source
  return {
    ...source,
    ...(manifests && { manifests: { ...manifests, text: other(names.text) ?? manifests.text } }),
    ...(helm && { helm: helmWith(helm, other) }),
  }
}

function helmWith(helm: Helm, other: (name: string) => unknown): Helm {
  const { chart, valuesFiles, values, set } = helm
  const archive = chart && (other(names.archive) ?? chart.archive)
  return {
    ...helm,
    ...(chart && { chart: { ...chart, ...(typeof archive === 'string' && { archive }) } }),
    ...(valuesFiles && { valuesFiles: valuesFiles.map((text, at) => (other(names.file(at)) ?? text) as string) }),
    ...(values !== undefined && { values: isNothing(values) ? values : ((other(names.values) ?? values) as object) }),
    ...(set && {
      set: Object.fromEntries(Object.entries(set).map(([key, value]) => [key, other(names.set(key)) ?? value])),
    }),
  }
}

export const valuesName = names.values
