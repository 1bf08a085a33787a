/** Pure: what is written together with the deletion of a workload, after what its user said of what it leaves behind. */
import { Fault, type ObjectOf } from '@gantry/core'
import type { Command } from '@gantry/store'
import { retainedNote } from '../controllers/instance/reconcile.ts'
import { abandonmentCommand } from '../controllers/workload/abandonment.ts'
import { ownNotes } from '../objects/annotations.ts'
import { draftOf, keyOf } from '../objects/draft.ts'
import type { Besides } from '../objects/write.ts'

type Said = {
  readonly volumes?: boolean | undefined
  readonly abandon?: boolean | undefined
  readonly why?: string | undefined
}

export function besidesDeletion(
  workload: ObjectOf<'Workload'>,
  { volumes = false, abandon = false, why = '' }: Said,
  by: string,
): Besides {
  if (volumes && abandon) {
    const message = 'excludes abandon: an engine that is left alone keeps its volumes'
    throw new Fault('schema', `The request is not valid: volumes ${message}`, {
      issues: [{ path: 'volumes', message }],
    })
  }
  if (abandon) return { commands: [abandonmentCommand(workload, { by, why })], detail: { abandon, why } }
  return volumes ? { commands: volumesToo(workload), detail: { volumes } } : { commands: [], detail: {} }
}

/** Said on the workload itself, from where it reaches the instances that hold them. */
function volumesToo(workload: ObjectOf<'Workload'>): Command[] {
  const { name, annotations, deletionRequestedAt, generation } = workload.metadata
  if (annotations[retainedNote] === 'delete') return []
  if (deletionRequestedAt !== undefined) {
    const message = `Workload "${name}" is being deleted already, with its volumes kept; that can no longer be changed`
    throw new Fault('being_deleted', message)
  }
  const noted = {
    ...workload,
    metadata: { ...workload.metadata, annotations: { ...annotations, [retainedNote]: 'delete' } },
  }
  const draft = draftOf('Workload', noted, keyOf(workload), ownNotes(annotations))
  return [{ op: 'replace', draft, ifGeneration: generation, ifAbsent: 'refuse' }]
}
