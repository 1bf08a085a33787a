/** A place in the output of a process: how many bytes of each stream, and how many gaps, were told up to there. */
import { Fault } from '@gantry/core/base'

export type Place = { readonly stdout: number; readonly stderr: number; readonly gaps: number }

export function formatCursor({ stdout, stderr, gaps }: Place): string {
  return `${stdout}.${stderr}.${gaps}`
}

export function parseCursor(cursor: string): Place {
  const match = /^(\d{1,16})\.(\d{1,16})\.(\d{1,16})$/.exec(cursor)
  if (!match) throw new Fault('bad_request', `The cursor ${JSON.stringify(cursor)} is not one of local output`)
  return { stdout: Number(match[1]), stderr: Number(match[2]), gaps: Number(match[3]) }
}
