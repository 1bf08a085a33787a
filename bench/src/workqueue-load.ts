/** What both sides of the workqueue bench do: the same adds, of the same keys, in the same order. */
import { systemClock } from '@gantry/core'
import { FairQueue, Workers } from '@gantry/reconcile'

export type Load = {
  /** `drain`: add all, then run all. `interleaved`: workers run while keys are added. */
  readonly case: 'drain' | 'interleaved'
  readonly workers: number
  readonly adds: number
  readonly keys: number
}

/** Made exactly as in workqueue-peer/main.go. */
export function keysOf({ keys }: Load): readonly string[] {
  return Array.from({ length: keys }, (_, index) => `tenant-${index % tenantCount}/object-${index}`)
}

export function orderOf({ adds, keys }: Load): Uint32Array {
  let seed = 12345
  return Uint32Array.from({ length: adds }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed % keys
  })
}

const tenantCount = 128

/** The change feed delivers in pages; after each, the workers get their turn. */
const pageLength = 100

/** The names are made once: a controller adds the keys it knows again and again. The peer does the same. */
export type Names = { readonly keys: readonly string[]; readonly order: Uint32Array }

/** Adds per second until everything is done, through the queue and the workers that controllers use. */
export async function measureOurs(load: Load, { keys, order }: Names): Promise<number> {
  const tenants = Array.from({ length: tenantCount }, (_, index) => `tenant-${index}`)
  const queue = new FairQueue(systemClock)
  let processed = 0
  const workers = new Workers({
    queue,
    clock: systemClock,
    count: load.workers,
    handle(item) {
      processed += 1
      queue.done(item)
      return undefined
    },
    onBug(error) {
      throw error
    },
  })
  const began = performance.now()
  if (load.case === 'interleaved') workers.start()
  for (let page = 0; page < order.length; page += pageLength) {
    const end = Math.min(page + pageLength, order.length)
    for (let index = page; index < end; index++) {
      const at = order[index] as number
      queue.add(keys[at] as string, tenants[at % tenantCount])
    }
    if (load.case === 'interleaved') await undefined
  }
  if (load.case === 'drain') workers.start()
  const { signal } = new AbortController()
  await workers.stop({ deadlineMs: 60_000, finishQueued: true }, { signal })
  const seconds = (performance.now() - began) / 1000
  if (processed < new Set(order).size) throw new Error(`only ${processed} keys were run`)
  return load.adds / seconds
}
