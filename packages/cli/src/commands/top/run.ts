import { sleep } from '@gantry/core'
import type { Run } from '../../command/command.ts'
import { workloadNamed } from '../../objects/workload-named.ts'
import { dataText } from '../../output/data.ts'
import type { World } from '../../world/world.ts'
import type { topCommand } from './command.ts'
import { historyTable, replicaTable, type Used, usageTable } from './figures.ts'

const everyMs = 5000
const minutes = 60
/** Asked at once, so that a tenant with many workloads is no burden. */
const atOnce = 8

export const run: Run<typeof topCommand> = async ({ args, flags }, world) => {
  for (;;) {
    const found = args.NAME === undefined ? await all(world) : [await one(args.NAME, world)]
    const text =
      flags.output === 'json' || flags.output === 'yaml'
        ? await dataText({ items: found.map(({ name, usage }) => ({ name, ...usage })) }, flags.output)
        : textOf(found, args.NAME !== undefined)
    const redraw = flags.watch && world.out.isTerminal
    // From the corner on, and what was below it goes: nothing flickers.
    await world.out.write(redraw ? `\u001b[H${text.replaceAll('\n', '\u001b[K\n')}\u001b[J` : text)
    if (found.length === 0) await world.err.write('There are no workloads here; "gantry up" starts one\n')
    if (!flags.watch) return 0
    await sleep(world.clock, everyMs, world)
  }
}

function textOf(found: readonly Used[], isOne: boolean): string {
  if (found.length === 0) return ''
  const [first] = found
  if (!isOne || !first) return usageTable(found)
  return [usageTable(found), replicaTable(first), historyTable(first)].filter((text) => text !== '').join('\n')
}

async function one(name: string, world: World): Promise<Used> {
  const workload = await workloadNamed(name, world)
  const { workloads } = await world.tenant()
  return { name, ready: readyText(workload), usage: await workloads.usage(name, { minutes, signal: world.signal }) }
}

async function all(world: World): Promise<Used[]> {
  const { workloads } = await world.tenant()
  const { signal } = world
  const found = await workloads.list({ signal }).toArray()
  const queue = found.entries()
  const used: Used[] = []
  const worker = async (): Promise<void> => {
    for (const [, workload] of queue) {
      const { name } = workload.metadata
      used.push({ name, ready: readyText(workload), usage: await workloads.usage(name, { minutes: 2, signal }) })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return used
}

type Counted = {
  readonly spec: { readonly replicas: number }
  readonly status: { readonly readyReplicas?: number | undefined }
}

function readyText({ spec, status }: Counted): string {
  return `${status.readyReplicas ?? '?'}/${spec.replicas}`
}
