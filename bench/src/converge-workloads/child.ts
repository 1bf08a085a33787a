/** A round of `converge-workloads`. */
import { limitHeapGrowth } from '@gantry/server'
import { playRound } from '../growth/round.ts'
import { openFleet } from './fleet.ts'

// As the server does it, which is a program as this is one.
limitHeapGrowth()
await playRound(openFleet)
