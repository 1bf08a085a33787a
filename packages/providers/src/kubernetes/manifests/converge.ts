/** One pass towards a set: look, write down what may come to be, apply in order, wait until it is ready, prune. */
import type { Call } from '@gantry/core'
import { type Pass, waitFor } from '../../pass.ts'
import type { Wanted } from './apply.ts'
import { lookAround } from './around.ts'
import { bodyOf } from './body.ts'
import type { DesiredSet } from './manifests.ts'
import { objectsIn, ownerOf, placeOf, type SetParts } from './parts.ts'
import { placeSet } from './place.ts'
import type { SetRecord } from './record/record.ts'
import { Run } from './run.ts'

const laterMs = 500

export async function convergeSet(parts: SetParts, desired: DesiredSet, call: Call): Promise<Pass> {
  const { options, records } = parts
  const { ref } = desired
  const place = placeOf(options, ref.tenant)
  const objects = objectsIn(parts.texts.read(desired.source.text), place)
  const before = await records.read(ref, place.namespace, call)
  if (before && before.record.ref.uid !== ref.uid) {
    return waitFor(`the objects of the former ${ref.tenant}/${ref.workload} to be removed`, laterMs)
  }
  const placed = await placeSet(objects, place, options.api.discovery, call)
  const restart = restartOf(before?.record, desired)
  const wanted = placed.flatMap((each): Wanted[] => {
    const { namespace } = each.at
    const body = bodyOf(each.set, {
      usual: options.labels ?? {},
      owner: ownerOf(options, ref),
      run: desired.run,
      ...(namespace === undefined ? {} : { namespace }),
      ...(restart === undefined ? {} : { restart }),
    })
    return body ? [{ ...each, body }] : []
  })
  const seen = await lookAround(parts, desired, wanted, before?.record.entries ?? [], call)
  if (seen.waiting !== undefined) return waitFor(seen.waiting, laterMs)
  return await new Run(parts, desired, wanted, seen.live, before, restart).pass(call)
}

/** A restart is asked for by another hash of the same release. It stays until the next, since its end would be one too. */
function restartOf(before: SetRecord | undefined, { release, specHash }: DesiredSet): string | undefined {
  if (before && before.release === release && before.specHash !== specHash) return specHash
  return before?.restart
}
