/** Engines that lie about what is kept, and for whom. */
import type { Engine } from '../../engine.ts'
import { overlay } from '../../overlay.ts'
import type { Ref } from '../../ref.ts'
import type { Liar } from './liar.ts'

/** Has the engine call instances otherwise than they are called. */
const calling = (other: (ref: Ref) => Ref) => (engine: Engine) =>
  overlay(engine, {
    converge: (desired, call) => engine.converge({ ...desired, ref: other(desired.ref) }, call),
    remove: (ref, options, call) => engine.remove(other(ref), options, call),
  })

const byUid = calling((ref) => ({ ...ref, workload: `w-${ref.uid}` }))

export const volumeLiars: readonly Liar[] = [
  {
    lie: 'what is retained is kept where only the one that is gone would find it',
    caughtBy: 'gives what a workload left in its volumes to the next of its name, replica by replica',
    wrapEngine: byUid,
  },
  {
    lie: 'who still has what was left under a name is not asked',
    caughtBy: 'takes no volume from one that still runs under its name, and loses none to its removal',
    wrapEngine: byUid,
  },
  {
    lie: 'volumes are known by their own name alone',
    caughtBy: 'gives what a workload left to no other name, and to no other tenant',
    wrapEngine: calling((ref) => ({ ...ref, tenant: 'anyone', workload: 'anything' })),
  },
  {
    lie: 'what a neighbour of the same name left is given away',
    caughtBy: 'gives what a workload left to no other name, and to no other tenant',
    wrapEngine: calling((ref) => ({ ...ref, tenant: 'anyone' })),
  },
  {
    lie: 'what shall go too is kept in secret',
    caughtBy: 'leaves nothing to the next of its name when what is retained shall go too, whoever had it',
    wrapEngine: (engine) =>
      overlay(engine, { remove: (ref, _options, call) => engine.remove(ref, { retained: 'keep' }, call) }),
  },
]
