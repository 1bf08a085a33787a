/** What several workloads write, side by side, until Ctrl-C. */
import type { WorkloadLog } from '@gantry/api'
import type { World } from '../../world/world.ts'
import { lineWriter } from '../logs/line.ts'

export async function followAll(names: readonly string[], since: Date, world: World): Promise<void> {
  const { workloads } = await world.tenant()
  const show = lineWriter({ prefixes: true, timestamps: false, style: world.out.style })
  await Promise.all(
    names.map(async (name) => {
      for await (const log of workloads.logs(name, { follow: true, since, signal: world.signal })) {
        const { out, err } = show(names.length > 1 ? named(name, log) : log)
        if (out !== undefined) await world.out.write(out)
        if (err !== undefined) await world.err.write(world.err.style.warn(err))
      }
    }),
  )
}

/** Services of two workloads may be called the same. */
function named(name: string, log: WorkloadLog): WorkloadLog {
  return { ...log, service: `${name}/${log.service}` }
}
