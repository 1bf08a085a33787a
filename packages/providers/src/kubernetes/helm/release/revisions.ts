/** Which of our releases each revision is made of. Pure. */
import { contentHash } from '../../../content-hash.ts'
import { label } from '../../../labels.ts'
import type { HelmStatus, Revision } from '../helm.ts'
import { decodeRelease, type HelmSecret, type HookBody, type ReleaseBody } from './stored.ts'

/** Only what is looked at again: the chart itself, the largest part, is not kept. */
export type KnownRevision = {
  readonly revision: number
  readonly status: HelmStatus
  readonly description: string
  readonly updated?: Date
  readonly chart: string
  readonly appVersion?: string
  readonly manifest: string
  readonly hooks: readonly HookBody[]
  /** Of all that Helm made it from: equal for a revision and for what was rolled back to it. */
  readonly content: string
  /** What was written on it by whoever made it, and copied by Helm from the one before: true only with our description. */
  readonly marked: { readonly release?: string; readonly specHash?: string }
  readonly labels: Readonly<Record<string, string>>
}

/** Begins every description of ours: an upgrade or rollback by somebody else copies labels, but never this. */
export const descriptionMark = 'Gantry release '

export const descriptionOf = (release: string, specHash: string): string =>
  `${descriptionMark}${release} (spec ${specHash})`

/** What our own record knows, also where the revision that we made was pruned since. */
export type KnownContent = { readonly content: string; readonly release: string; readonly specHash: string }

export function knownRevision(secret: HelmSecret): KnownRevision {
  const body = decodeRelease(secret)
  const { [label.release]: release, [label.specHash]: specHash } = secret.metadata.labels ?? {}
  const { name = '?', version = '?', appVersion } = body.chart?.metadata ?? {}
  const updated = body.info.last_deployed === undefined ? undefined : new Date(body.info.last_deployed)
  return {
    revision: body.version,
    status: body.info.status,
    description: body.info.description ?? '',
    ...(updated && !Number.isNaN(updated.getTime()) && { updated }),
    chart: `${name}-${version}`,
    ...(appVersion !== undefined && { appVersion }),
    manifest: body.manifest ?? '',
    hooks: body.hooks ?? [],
    content: contentOf(body),
    marked: { ...(release !== undefined && { release }), ...(specHash !== undefined && { specHash }) },
    labels: secret.metadata.labels ?? {},
  }
}

/** Hooks are left out: Helm writes down in them how they went. */
function contentOf(body: ReleaseBody): string {
  const { name, version } = body.chart?.metadata ?? {}
  return contentHash([name ?? null, version ?? null, body.config ?? {}, body.manifest ?? ''])
}

/** Which release of ours a revision is made of: by its own mark, or by having the content of one that we know. */
export function madeOf(
  revision: KnownRevision,
  all: readonly KnownRevision[],
  known?: KnownContent,
): { readonly release: string; readonly specHash: string } | undefined {
  const own = ownMark(revision)
  if (own) return own
  if (known?.content === revision.content) return { release: known.release, specHash: known.specHash }
  for (const other of all) {
    const theirs = other.content === revision.content ? ownMark(other) : undefined
    if (theirs) return theirs
  }
  return undefined
}

function ownMark({ description, marked }: KnownRevision): { release: string; specHash: string } | undefined {
  const { release, specHash } = marked
  if (release === undefined || specHash === undefined) return undefined
  return description === descriptionOf(release, specHash) ? { release, specHash } : undefined
}

export function toldOf(revision: KnownRevision, all: readonly KnownRevision[], known?: KnownContent): Revision {
  const { status, chart, appVersion, description, updated } = revision
  return {
    revision: revision.revision,
    status,
    chart,
    ...(appVersion !== undefined && { appVersion }),
    description,
    ...(updated && { updated }),
    ...madeOf(revision, all, known),
  }
}
