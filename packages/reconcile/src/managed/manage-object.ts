/**
 * Makes one object true by a tree of provisioners, with the discipline that every such controller needs: a finalizer
 * before the first side effect, gone only after everything was seen to be gone, and a status that says how it went.
 */
import {
  asFault,
  type Clock,
  canonicalJson,
  type Fault,
  type GantryObject,
  isFault,
  type Status,
  withDeadline,
} from '@gantry/core'
import type { Reconcile, Run } from '../controller/reconcile.ts'
import { enter } from '../provisioners/enter.ts'
import { newPass, type Provisioner, type Verb } from '../provisioners/provisioner.ts'
import { couldNotLook, failed } from '../results/from-error.ts'
import { done, type Result } from '../results/result.ts'
import { asStuck } from '../results/stuck.ts'
import type { ManagedObjects } from './managed-objects.ts'
import { statusAfter, statusAtRest } from './status-of.ts'

export type ManageOptions = {
  readonly objects: ManagedObjects
  /** Ours. Those of others are left alone, and waited for by nobody. */
  readonly finalizer: string
  /** Made anew for every pass. */
  readonly tree: (object: GantryObject) => Provisioner
  readonly clock: Clock
  /** Paused means left as it is. It does not keep an object from being deleted. */
  readonly paused?: (object: GantryObject) => boolean
  /** For the last word of a run that was ended: it cannot be said with the signal that ended it. */
  readonly lastWordMs?: number
  /** The last word could not be written. */
  readonly onTrouble?: (fault: Fault) => void
}

export function manageObject(options: ManageOptions): Reconcile {
  const { objects, finalizer, clock, paused = () => false, lastWordMs = 5000, onTrouble = () => undefined } = options

  return async (key, run) => {
    const looked = await read(() => objects.read(key, run), run)
    if ('failed' in looked) return looked.failed
    const { object } = looked
    if (!object) return done()
    const ours = object.metadata.finalizers.includes(finalizer)
    if (object.metadata.deletionRequestedAt !== undefined) return ours ? takeDown(object, run) : done()
    if (paused(object)) {
      await write(object, statusAtRest(object, 'paused', 'Paused: left as it is', clock.now()), run)
      return done()
    }
    const guarded = ours ? object : await objects.addFinalizer(object, finalizer, run)
    return (await walk(guarded, 'provision', run)).result
  }

  async function takeDown(object: GantryObject, run: Run): Promise<Result> {
    const { result, written } = await walk(object, 'deprovision', run)
    if (result.state === 'done') await objects.removeFinalizer(written, finalizer, run)
    return result
  }

  async function walk(object: GantryObject, verb: Verb, run: Run): Promise<{ result: Result; written: GantryObject }> {
    const { generation } = object.metadata
    let result: Result
    try {
      result = asStuck(await enter(rootOf(object), verb, newPass({ ...run, generation })), run)
    } catch (error) {
      await lastWord(object, error, run)
      throw error
    }
    return { result, written: await write(object, statusAfter(object, result, clock.now()), run) }
  }

  /** A tree that cannot even be made is a result like others. */
  function rootOf(object: GantryObject): Provisioner {
    try {
      return options.tree(object)
    } catch (error) {
      const fails = async (): Promise<Result> => failed('', error)
      return { name: 'tree', provision: fails, deprovision: fails }
    }
  }

  /** A status that says the same as before is not written: nobody would learn anything from it. */
  async function write(object: GantryObject, status: Status, run: Run): Promise<GantryObject> {
    if (canonicalJson(status) === canonicalJson(object.status)) return object
    return objects.writeStatus(object, status, run)
  }

  async function lastWord(object: GantryObject, reason: unknown, run: Run): Promise<void> {
    const fresh = withDeadline(clock, lastWordMs, 'Writing the last status', { signal: new AbortController().signal })
    const status = isFault(reason, 'deadline')
      ? statusAfter(object, failed('', reason), clock.now())
      : statusAtRest(object, 'cancelled', 'Interrupted; goes on when somebody works on it again', clock.now())
    try {
      await write(object, status, { ...run, signal: fresh.signal })
    } catch (error) {
      // The reason of the abort is what the caller has to hear; this goes beside it.
      onTrouble(asFault(error))
    } finally {
      fresh.clear()
    }
  }
}

async function read(
  look: () => Promise<GantryObject | undefined>,
  { signal }: Run,
): Promise<{ object: GantryObject | undefined } | { failed: Result }> {
  try {
    return { object: await look() }
  } catch (error) {
    signal.throwIfAborted()
    return { failed: couldNotLook('', error) }
  }
}
