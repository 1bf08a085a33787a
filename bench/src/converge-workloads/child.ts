/** One round in a process of its own, so that memory is this round's: `node child.js COUNT` prints seconds and megabytes. */
import { openFleet } from './fleet.ts'

const count = Number(process.argv[2])
const limit = AbortSignal.timeout(600_000)
const fleet = await openFleet(limit)
const seconds = await fleet.converge(count)
const megabytes = process.resourceUsage().maxRSS / 1024
await fleet.close()
process.stdout.write(`${JSON.stringify({ seconds, megabytes })}\n`)
