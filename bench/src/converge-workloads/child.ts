/** One round in a process of its own, so that memory is this round's: `node child.js COUNT` prints seconds and megabytes. */
import { limitHeapGrowth } from '@gantry/server'
import { openFleet } from './fleet.ts'

// As the server does it, which is a program as this is one.
limitHeapGrowth()
const count = Number(process.argv[2])
const limit = AbortSignal.timeout(600_000)
const fleet = await openFleet(limit)
const seconds = await fleet.converge(count)
const megabytes = process.resourceUsage().maxRSS / 1024
await fleet.close()
process.stdout.write(`${JSON.stringify({ seconds, megabytes })}\n`)
