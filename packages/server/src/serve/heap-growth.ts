/**
 * V8 lets what lives in a large heap be a quarter of it before it collects. A control plane makes much that lives for
 * some seconds, so with ten thousand workloads most of a gigabyte would be garbage. What collecting more often takes is in
 * decision 025.
 */
import { setFlagsFromString } from 'node:v8'

/** So much may be added to what was alive after a collection before the next one begins. */
const growthPercent = 50

/** For the whole process, so it is the program's to say and not a library's. */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
}
