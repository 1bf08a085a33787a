/** Pure: what cannot be asked together, what is asked back, and what is deleted first. */
import { type AnyFace, Fault, faces } from '@gantry/core'
import type { Input } from '../../command/command.ts'
import type { AnyObject } from '../../objects/access.ts'
import type { Target } from '../../objects/targets.ts'
import type { deleteCommand } from './command.ts'

type Flags = Input<typeof deleteCommand>['flags']

export type Doomed = { readonly face: AnyFace; readonly name: string; readonly tenant: string }

export function refusal(words: readonly string[], flags: Flags): string | undefined {
  const isFiles = flags.filename.length > 0
  if (isFiles && (words.length > 0 || flags.all || flags.selector !== undefined)) {
    return 'Either the objects of files or those that you name: leave out --filename or the rest'
  }
  if (!isFiles && words.length === 0) {
    return 'What is to be deleted? Write "gantry delete KIND/NAME", or name a file with -f'
  }
  if (flags.why !== undefined && !flags.abandon) return '--why says why something is abandoned, and goes with --abandon'
  return undefined
}

/** Volumes and engines are the matter of workloads. */
export function onlyForWorkloads(
  targets: readonly Pick<Target, 'face'>[],
  flags: Pick<Flags, 'volumes' | 'abandon'>,
): void {
  const other = targets.find(({ face }) => face.kind !== 'Workload')
  const flag = flags.volumes ? '--volumes' : flags.abandon ? '--abandon' : undefined
  if (other && flag !== undefined) {
    throw new Fault('bad_request', `${flag} is for workloads: ${other.face.plural} have nothing on an engine`)
  }
}

/** What refers to others goes before them; the registry has them in the order in which they are made. */
export function inOrder(doomed: readonly Doomed[]): Doomed[] {
  const rank = ({ face }: Doomed): number => faces.findIndex(({ kind }) => kind === face.kind)
  return doomed.toSorted((one, other) => rank(other) - rank(one))
}

/** The question to ask first; none if everything was named and nothing is lost for good. */
export function question(
  doomed: readonly Doomed[],
  named: boolean,
  flags: Pick<Flags, 'volumes' | 'abandon'>,
): string | undefined {
  if (doomed.length === 0 || (named && !flags.volumes && !flags.abandon)) return undefined
  const shown = doomed.slice(0, 5).map(({ face, name }) => `${face.kind.toLowerCase()}/${name}`)
  const more = doomed.length > shown.length ? ` and ${doomed.length - shown.length} more` : ''
  const data = flags.volumes ? ' with all data in their volumes' : ''
  const left = flags.abandon ? ', leaving on the engine what is there' : ''
  const tenants = [...new Set(doomed.map(({ tenant }) => tenant))].join(', ')
  return `Delete ${shown.join(', ')}${more} of tenant ${tenants}${data}${left}? [y/N] `
}

export function isYes(answer: string): boolean {
  return ['y', 'yes'].includes(answer.trim().toLowerCase())
}

/** Without finalizers it is gone already. */
export function outcome({ metadata: { finalizers } }: AnyObject): string {
  return finalizers.length === 0 ? 'deleted' : 'is being deleted'
}
