/** Pure: what this machine refuses, in a sentence. */
import { isFault } from '@gantry/core'
import type { Refusal } from '../tended/troubles.ts'
import { isErrno } from './errno.ts'

/** `undefined`: it was something else. */
export function refusal(error: unknown): Refusal | undefined {
  const message = words(error)
  return message === undefined ? undefined : stalled(message)
}

export const stalled = (message: string): Refusal => ({ reason: 'rollout_stalled', message })

function words(error: unknown): string | undefined {
  if (isErrno(error, 'ENOSPC', 'EDQUOT')) {
    return `the disk is full: ${error.path ?? 'a file'} cannot be written; make room`
  }
  if (isErrno(error, 'EACCES', 'EPERM', 'EROFS')) {
    return `${error.path ?? 'a file'} cannot be written (${error.code}); give the server access to it`
  }
  return isFault(error) && error.reason === 'engine_refused' ? error.message : undefined
}
