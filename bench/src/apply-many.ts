/** How long `gantry apply` takes for many objects in one file. */
import { openRig } from './apply-many/rig.ts'
import type { Bench } from './bench.ts'
import { contest, limited } from './rounds.ts'

const withinMs = 1500

export const applyMany: Bench = {
  name: 'apply-many',
  about:
    'From starting `gantry apply -f FILE` to its end, for files of 100 and of 500 workloads: those that are there already ' +
    'as the file says, and those of which every one changes, which makes a release and a rollout of each while the apply ' +
    'goes on. The server is a process with a database on disk and controllers on the simulated engine, and is left to ' +
    'settle before each apply. Five times the objects may cost 5.5 times the time.',
  unit: 'ms',
  better: 'lower',
  async run(context) {
    const rig = await openRig(context)
    let version = 1
    try {
      for (const size of [100, 500] as const) await rig.apply(size, version)
      for (const size of [100, 500] as const) await rig.settled(size)
      const unchanged: number[] = []
      const same = async (size: 100 | 500): Promise<number> => {
        const ms = await rig.apply(size, version)
        if (size === 500) unchanged.push(ms)
        return ms
      }
      const other = async (size: 100 | 500): Promise<number> => {
        const ms = await rig.apply(size, ++version)
        await rig.settled(size)
        return ms
      }
      const itself = 'itself with 100 objects'
      const rows = [
        await contest(context, {
          case: '500 objects, unchanged',
          better: 'lower',
          ours: () => same(500),
          peer: { name: itself, run: () => same(100) },
          reach: 5.5,
        }),
        await contest(context, {
          case: '500 objects, every one changed',
          better: 'lower',
          ours: () => other(500),
          peer: { name: itself, run: () => other(100) },
          reach: 5.5,
        }),
      ]
      // The first was thrown away by the contest, too.
      return [limited('500 objects, unchanged, within', 'lower', unchanged.slice(1), withinMs), ...rows]
    } finally {
      await rig.close()
    }
  },
}
