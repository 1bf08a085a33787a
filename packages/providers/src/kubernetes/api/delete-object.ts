/** Removing an object, and what is left of it then. */
import { type Call, isFault } from '@gantry/core'
import type { DeleteOptions, ObjectAt } from './api.ts'
import { objectPath } from './paths.ts'
import { ifThere, jsonOf } from './questions.ts'
import type { KubeObject } from './types/meta.ts'
import type { Status } from './types/status.ts'
import type { Wire } from './wire.ts'

const propagations = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const

export async function deleteObject(
  wire: Wire,
  at: ObjectAt,
  { uid, propagation, graceSeconds, dryRun }: DeleteOptions,
  call: Call,
): Promise<KubeObject | undefined> {
  const json = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: propagations[propagation ?? 'background'],
    ...(graceSeconds !== undefined && { gracePeriodSeconds: graceSeconds }),
    ...(uid !== undefined && { preconditions: { uid } }),
    ...(dryRun && { dryRun: ['All'] }),
  }
  // With a uid it is that one or nothing, however often it is said.
  const request = { method: 'DELETE', path: objectPath(at), json, harmless: uid !== undefined } as const
  const answer = await unlessAnother(ifThere(jsonOf<KubeObject | Status>(wire, request, call)), uid)
  if (answer === undefined || isStatus(answer)) return undefined
  const { metadata } = answer
  const isKept = (metadata.finalizers?.length ?? 0) > 0 || (metadata.deletionGracePeriodSeconds ?? 0) > 0
  if (dryRun || (metadata.deletionTimestamp !== undefined && isKept)) return answer
  // Some kinds answer with what they were, others with what they still are.
  const left = await ifThere(jsonOf<KubeObject>(wire, { method: 'GET', path: objectPath(at) }, call))
  return left?.metadata.uid === metadata.uid ? left : undefined
}

/** Another object of that name is not the one that was to go. */
async function unlessAnother<T>(answer: Promise<T>, uid: string | undefined): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (uid !== undefined && isFault(error) && error.reason === 'version_conflict') return undefined
    throw error
  }
}

function isStatus(answer: KubeObject | Status): answer is Status {
  return answer.kind === 'Status'
}
