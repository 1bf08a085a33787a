/** The rules of the machine's packet filter, asked for and changed past any daemon. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Call } from '@gantry/core'
import type { Footprint } from './footprint.ts'
import { rulesOf } from './leftovers.ts'
import { programEnv } from './programs.ts'

const run = promisify(execFile)
const families = ['iptables', 'ip6tables'] as const
const tables = ['filter', 'nat'] as const

export type Table = (typeof tables)[number] | 'raw'

export async function listRules(footprint: Footprint, table: Table, call: Call): Promise<string> {
  return tell(footprint, 'iptables', table, ['-S'], call)
}

/** Answers the names of the bridges that the rules spoke of. */
export async function removeRules(footprint: Footprint, call: Call): Promise<Set<string>> {
  const bridges = new Set([footprint.bridge])
  for (const family of families) {
    for (const table of tables) {
      const found = rulesOf(await tell(footprint, family, table, ['-S'], call), footprint)
      for (const rule of found.rules) await tell(footprint, family, table, rule, call)
      for (const chain of found.chains) await tell(footprint, family, table, ['-X', chain], call)
      for (const bridge of found.bridges) bridges.add(bridge)
    }
  }
  return bridges
}

async function tell(
  { xtables, programs }: Footprint,
  family: (typeof families)[number],
  table: Table,
  args: readonly string[],
  { signal }: Call,
): Promise<string> {
  const env = await programEnv(programs)
  return (await run(xtables, [family, '--wait', '-t', table, ...args], { env, signal })).stdout
}
