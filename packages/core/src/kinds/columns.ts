/** Cells that several kinds show. */
import type { Condition, Status } from '../object.ts'

/** The condition Ready in one word; nobody looked is not the same as no. */
export function readyWord({ status }: { readonly status: Status }): string {
  const ready = status.conditions?.find(({ type }) => type === 'Ready')?.status
  return ready === 'True' ? 'yes' : ready === 'False' ? 'no' : 'unknown'
}

/** Since when nobody can tell how it is; what else its status says is then how it was before. */
export function unknownSince({ status }: { readonly status: Status }): string | undefined {
  const ready: Condition | undefined = status.conditions?.find(({ type }) => type === 'Ready')
  return ready?.status === 'Unknown' ? ready.since : undefined
}
