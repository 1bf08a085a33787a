/** The two places that a workload has on its provider, so that a new release can come up beside the old one. */
export const slots = ['a', 'b'] as const
export type InstanceSlot = (typeof slots)[number]

export function otherSlot(slot: InstanceSlot): InstanceSlot {
  return slot === 'a' ? 'b' : 'a'
}

/** What an instance is called; no other workload's can be called the same. */
export function instanceName(workload: string, slot: InstanceSlot): string {
  return `${workload}-${slot}`
}
