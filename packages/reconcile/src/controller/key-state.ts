/** What a controller remembers of each of its keys. */
import type { ObjectKey } from '@gantry/core'
import { freshMemory, type Memory, type Visit } from './retry-policy.ts'

export type KeyState = {
  readonly key: ObjectKey
  readonly text: string
  uid: string
  memory: Memory
  /** How the last run ended; undefined before the first. */
  last: Visit['next'] | undefined
}

export function newKeyState(key: ObjectKey, text: string, uid: string): KeyState {
  return { key, text, uid, memory: freshMemory, last: undefined }
}
