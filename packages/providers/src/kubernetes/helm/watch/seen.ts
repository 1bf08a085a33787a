/** What is kept of records and revisions that are watched. Pure. */
import { refFromLabels } from '../../../labels.ts'
import type { Ref } from '../../../ref.ts'
import type { SetObject } from '../../manifests/set-object.ts'
import type { RecordSecret } from '../record.ts'
import { type KnownRevision, knownRevision } from '../release/revisions.ts'
import type { HelmSecret } from '../release/stored.ts'
import { type Stored, storedIn } from '../store.ts'
import { writtenIn } from '../view/live.ts'

export type SeenRecord = { readonly resourceVersion: string; readonly stored: Stored }

export function seenRecord(secret: RecordSecret, installation: string): SeenRecord | undefined {
  const stored = storedIn(installation, secret)
  return stored && { resourceVersion: stored.version, stored }
}

export type SeenRevision = {
  readonly resourceVersion: string
  /** Helm copies our labels from one revision to the next, whoever makes it. */
  readonly ref: Ref | undefined
  /** `namespace/name` of the release. */
  readonly release: string
  readonly revision: KnownRevision
  readonly written: readonly { readonly one: SetObject; readonly isHook: boolean }[]
}

export const releaseKey = (namespace: string, name: string): string => `${namespace}/${name}`

export function seenRevision(secret: HelmSecret, installation: string): SeenRevision {
  const { namespace = '', labels = {}, resourceVersion = '' } = secret.metadata
  const revision = knownRevision(secret)
  const release = releaseKey(namespace, labels.name ?? '')
  const ref = refFromLabels(installation, labels)
  return { resourceVersion, ref, release, revision, written: writtenIn(revision) }
}
