/** Pure: the objects that we made, as somebody else would have made them: the same in all that matters, and not ours. */

export type Made = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Metadata
  readonly spec?: Readonly<Record<string, unknown>>
}

type Metadata = {
  readonly name: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

const ours = 'gantry.dev/'
const theirs = 'peer.example/'

/** What the server has filled in of a Service, and would not give twice. */
const given = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']

/** Our marks have other names, in selectors too: nothing of it may be taken for ours. */
export function twinOf({ apiVersion, kind, metadata, spec = {} }: Made, namespace: string): object {
  const { name, labels = {} } = metadata
  const kept = Object.fromEntries(
    Object.entries(spec).filter(([field]) => kind !== 'Service' || !given.includes(field)),
  )
  const text = JSON.stringify({ apiVersion, kind, metadata: { name, namespace, labels }, spec: kept })
  return JSON.parse(text.replaceAll(ours, theirs)) as object
}
