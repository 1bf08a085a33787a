/** One object of a set, as its author wrote it, and where. */
export type SetObject = {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  /** Only where the author named one. */
  readonly namespace?: string
  readonly object: Readonly<Record<string, unknown>>
  /** Counted from 1, as a reader does. */
  readonly document: number
  readonly line: number
}

/** As an object is called in an issue. */
export const setPath = (document: number, kind?: string, name?: string): string =>
  `source.manifests[doc ${document}]${kind ? ` ${kind}/${name ?? '?'}` : ''}`

export const pathOf = ({ document, kind, name }: SetObject): string => setPath(document, kind, name)

/** The group of `apps/v1` is `apps`, that of `v1` the empty one. */
export const groupOf = (apiVersion: string): string => {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? '' : apiVersion.slice(0, slash)
}
