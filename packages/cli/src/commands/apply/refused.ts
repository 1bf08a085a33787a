/** Pure: which objects of a request were the reason that nothing of it was done. */
import { isFault } from '@gantry/core'
import { keyIn, shownKey } from '../plan/words.ts'

export function refusedLines(error: unknown, objects: readonly unknown[]): string[] {
  if (!isFault(error)) return []
  const found = error.issues.flatMap(({ path }) => /^objects\[(\d+)\]/.exec(path)?.[1] ?? [])
  return [...new Set(found)].flatMap((at) => {
    const key = keyIn(objects[Number(at)])
    return key === undefined ? [] : [`${shownKey(key)} refused\n`]
  })
}
