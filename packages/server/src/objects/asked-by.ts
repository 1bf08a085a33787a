/** Who asked for what a workload is to be, kept on it for the release and the rollout that are made of it a moment later. */
import { canonicalJson, type GantryObject, type KindName } from '@gantry/core'
import { sameJson } from '@gantry/store'
import { askedByNote, jsonNote } from './annotations.ts'

export type AskedBy = {
  readonly by: string
  /** In their words. */
  readonly message?: string
}

type Specs = { readonly before: GantryObject | undefined; readonly after: unknown }

/**
 * The note as it stands after a write. A change of what takes a rollout is whoever's makes it; one of anything else leaves
 * the note alone, so that a scale right after a deploy does not take its name.
 */
export function askedByNotes(kind: KindName, { before, after }: Specs, asked: AskedBy): Record<string, string> {
  if (kind !== 'Workload') return {}
  const kept = before?.metadata.annotations[askedByNote]
  if (before && sameJson(rolledOut(before.spec), rolledOut(after))) {
    return kept === undefined ? {} : { [askedByNote]: kept }
  }
  const { by, message } = asked
  return { [askedByNote]: canonicalJson({ by: shortName(by), ...(message !== undefined && { message }) }) }
}

export function askedBy({ metadata }: Pick<GantryObject, 'metadata'>): AskedBy | undefined {
  return jsonNote(metadata.annotations, askedByNote) as AskedBy | undefined
}

/** Names that others gave may be longer than a record has room for. */
export const shortName = (name: string): string => name.slice(0, 256)

/** The fields of a workload that take a rollout to change. */
function rolledOut(spec: unknown): unknown {
  const { services, source, secretVersions, ...rest } = spec as Record<string, unknown>
  const { deployStamp, restartStamp, provider, type } = rest
  return { services, source, secretVersions, deployStamp, restartStamp, provider, type }
}
