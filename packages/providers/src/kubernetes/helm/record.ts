/**
 * What we keep of a release on the cluster itself, so that whoever comes after us (a new life of this server, another server)
 * knows it: a Secret `gantry-helm-…` beside those of Helm. It is written before a helm begins and after it was seen to
 * have ended; two who write at once are told apart by its version, so one release never has two helms of ours.
 */
import { derivedName, type FaultReason } from '@gantry/core'
import { label, ownerLabels, refFromLabels } from '../../labels.ts'
import type { Ref } from '../../ref.ts'
import type { KubeObject } from '../api/types/meta.ts'
import { isFields } from '../manifests/fields.ts'
import { setLabel } from '../manifests/record/record.ts'
import type { KnownContent } from './release/revisions.ts'
import type { HelmMachine } from './run/machine.ts'

export type OperationVerb = 'upgrade' | 'rollback' | 'uninstall'

/** One run of helm that changes something. */
export type Operation = {
  /** In the environment of its process: how it is found again. */
  readonly mark: string
  readonly verb: OperationVerb
  /** What it is for; left out: for nothing being there. */
  readonly release?: string
  readonly specHash?: string
  /** The first revision that is its own. */
  readonly revision: number
  /** Where it runs: only there can it be looked for. */
  readonly host: HelmMachine
  /** Milliseconds since 1970: after this it is ended, or taken for dead where it cannot be seen. */
  readonly until: number
}

export type Failure = {
  /** What was wanted; left out: nothing being there. */
  readonly specHash?: string
  readonly reason: FaultReason
  readonly message: string
  readonly at: number
  /** In a row, for this wish. */
  readonly tries: number
  readonly againAt: number
}

export type HelmRecord = {
  /** What Helm calls it. */
  readonly releaseName: string
  readonly operation?: Operation
  readonly failure?: Failure
  /** The newest that we made and saw deployed. */
  readonly known?: KnownContent
  /** For a removal, which has no spec. */
  readonly hooks: boolean
  readonly timeoutSeconds: number
  /** All that any revision had when it was uninstalled: Helm forgets what a failed one made, and what its hooks left. */
  readonly leaving?: readonly LeavingObject[]
}

export type LeavingObject = {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
}

export const recordLabel = 'gantry.dev/helm-record'

/** On the record and on Helm's own Secrets: what carries it is not the engine's to clear away, as with sets of manifests. */
export const sourceLabels = { [setLabel]: 'helm' } as const

/** By name, so that two servers mean the same object; the uid is among the labels. */
export const recordNameOf = ({ tenant, workload, slot }: Ref): string =>
  derivedName('gantry-helm', workload, slot, tenant)

export const recordSelector = (installation: string): string => `${label.installation}=${installation},${recordLabel}`

export type RecordSecret = KubeObject & { readonly data?: Readonly<Record<string, string>> }

export function secretOf(
  record: HelmRecord,
  of: { readonly installation: string; readonly ref: Ref; readonly namespace: string },
  resourceVersion?: string,
): object {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: recordNameOf(of.ref),
      namespace: of.namespace,
      labels: { ...ownerLabels(of.installation, of.ref), ...sourceLabels, [recordLabel]: 'v1' },
      ...(resourceVersion !== undefined && { resourceVersion }),
    },
    type: 'gantry.dev/helm',
    data: { record: Buffer.from(JSON.stringify(record)).toString('base64') },
  }
}

/** Undefined: not one of ours, or one that this version cannot read. */
export function recordIn(secret: RecordSecret): HelmRecord | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(secret.data?.record ?? '', 'base64').toString('utf8'))
    return isFields(value) && typeof value.releaseName === 'string' ? (value as unknown as HelmRecord) : undefined
  } catch {
    return undefined
  }
}

export const refOfRecord = (installation: string, { metadata }: RecordSecret): Ref | undefined =>
  refFromLabels(installation, metadata.labels ?? {})
