/** Revisions for rows of tests. */
import { label } from '../../../labels.ts'
import type { HelmStatus } from '../helm.ts'
import type { Operation } from '../record.ts'
import { descriptionOf, type KnownRevision } from '../release/revisions.ts'

export type RevisionInput = {
  readonly status?: HelmStatus
  /** Which release of ours wrote its labels; `r1` means spec hash `h1` too. */
  readonly of?: string
  /** Left out: our own, where `of` is said. */
  readonly description?: string
  readonly content?: string
  readonly updated?: number
  readonly hooks?: KnownRevision['hooks']
}

export const hashOfRelease = (release: string): string => release.replace('r', 'h')

export function revision(number: number, input: RevisionInput = {}): KnownRevision {
  const { status = 'deployed', of, updated, hooks = [] } = input
  const marked = of === undefined ? {} : { release: of, specHash: hashOfRelease(of) }
  const ours = of === undefined ? 'Upgrade complete' : descriptionOf(of, hashOfRelease(of))
  return {
    revision: number,
    status,
    description: input.description ?? ours,
    ...(updated !== undefined && { updated: new Date(updated) }),
    chart: 'web-1.0.0',
    manifest: '',
    hooks,
    content: input.content ?? `content of ${of ?? number}`,
    marked,
    labels: of === undefined ? {} : { [label.release]: of, [label.specHash]: hashOfRelease(of) },
  }
}

export function operation(input: Partial<Operation> & { readonly of?: string } = {}): Operation {
  const { of, ...more } = input
  return {
    mark: 'm1',
    verb: 'upgrade',
    ...(of !== undefined && { release: of, specHash: hashOfRelease(of) }),
    revision: 2,
    host: { name: 'here', boot: 'b', processes: 'p' },
    until: 1_000_000,
    ...more,
  }
}
