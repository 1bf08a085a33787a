/** What the machine of an engine has. */
import type { CapacityOf } from './figures.ts'

export const capacityOf: CapacityOf = async (api, clock, call) => {
  const { NCPU, MemTotal } = await api.system.info(call)
  return { at: new Date(clock.now()), cpuMillis: { total: NCPU * 1000 }, memoryBytes: { total: MemTotal } }
}
