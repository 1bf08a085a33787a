/** What `doctor` prints: pure, from what was found to text. */
import type { EngineStatus } from './status.ts'

export function doctorReport(
  found: readonly EngineStatus[],
  folders: { readonly state: string; readonly cache: string },
): string {
  const rows = found.map((one) => [one.name, one.version, standing(one)] as const)
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map(([name, version, state]) =>
    [name.padEnd(widths[0] ?? 0), version.padEnd(widths[1] ?? 0), state].join('  '),
  )
  return [...lines, '', `state  ${folders.state}`, `cache  ${folders.cache}`].join('\n')
}

function standing({ state, why, keeper, failed }: EngineStatus): string {
  if (state === 'missing') return `missing: ${why}`
  if (failed) return `missing: its last start failed at ${new Date(failed.at).toISOString()}: ${failed.why}`
  if (!keeper) return 'available: started when a test asks for it'
  const holds = [`${keeper.users} users`, ...(keeper.standing ? ['held until `down`'] : [])]
  return `${keeper.state === 'ready' ? 'running' : 'starting'}: keeper ${keeper.pid}, ${holds.join(', ')}`
}
