/** What an address at the edge ends with that every workload has by itself. */
export const ownDomain = 'localhost'

/** Where a workload answers without a Route. */
export function ownHost(workload: string, tenant: string): string {
  return `${workload}.${tenant}.${ownDomain}`
}
