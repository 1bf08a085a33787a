/** A round of `converge`. */
import { playRound } from '../growth/round.ts'
import { openFleet } from './fleet.ts'

await playRound(openFleet)
