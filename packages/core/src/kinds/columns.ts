/** Cells that several kinds show. */
import type { Status } from '../object.ts'

/** The condition Ready in one word; nobody looked is not the same as no. */
export function readyWord({ status }: { readonly status: Status }): string {
  const ready = status.conditions?.find(({ type }) => type === 'Ready')?.status
  return ready === 'True' ? 'yes' : ready === 'False' ? 'no' : 'unknown'
}
