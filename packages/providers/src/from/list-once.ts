/** One full list of what is ours: the first word of every look-out. */
import { type Call, type Clock, Fault, withDeadline } from '@gantry/core'
import type { Engine } from '../engine.ts'
import type { Observed } from '../observed.ts'
import { bounded } from './bounded.ts'

const listDeadlineMs = 60_000

export async function listOnce(engine: Engine, clock: Clock, call: Call): Promise<readonly Observed[]> {
  const deadline = withDeadline(clock, listDeadlineMs, `Listing what is on ${engine.type}`, call)
  try {
    return await bounded((within) => firstSnapshot(engine, within), deadline)
  } finally {
    deadline.clear()
  }
}

async function firstSnapshot(engine: Engine, call: Call): Promise<readonly Observed[]> {
  for await (const seen of engine.observe(call)) {
    if (seen.type === 'snapshot') return seen.instances
    if (seen.type === 'blind') throw seen.fault
  }
  throw new Fault('engine_unreachable', `${engine.type} ended its list before it began`)
}
