/** One pass towards nothing of a set being there; its record goes last. */
import type { Call } from '@gantry/core'
import { done, type Pass, waitFor } from '../../pass.ts'
import { type Ref, refKey } from '../../ref.ts'
import { type SetParts, selectorOf } from './parts.ts'
import { type Entry, entryId, type SetRecord } from './record/record.ts'
import { takeAway } from './take-away.ts'

const againMs = 500

export async function removeSet(parts: SetParts, ref: Ref, call: Call): Promise<Pass> {
  const { options, records } = parts
  const home = options.namespaceOf(ref.tenant)
  const stored = await records.read(ref, home, call)
  parts.ready.forget(refKey(ref))
  // That of a younger workload of this name: ours had gone before it could be made.
  if (!stored || stored.record.ref.uid !== ref.uid) return done
  const { record } = stored
  const away = { objects: options.api.objects, selector: selectorOf(options, ref), home }
  const { gone, waiting } = await takeAway(away, record.entries, call)
  if (waiting !== undefined) {
    const left = record.entries.filter((entry) => !gone.has(entryId(entry)))
    if (gone.size > 0) await records.write(leaving(record, left), stored, call)
    return waitFor(waiting, againMs)
  }
  if (record.entries.some(({ resource }) => resource.kind === 'CustomResourceDefinition')) {
    options.api.discovery.refresh()
  }
  await records.remove(stored, call)
  return done
}

function leaving(record: SetRecord, left: readonly Entry[]): SetRecord {
  return { ...record, applied: false, entries: left }
}
