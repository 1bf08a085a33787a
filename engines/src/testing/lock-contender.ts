/** Started several at a time by a test: takes the lock again and again, and writes down when it is inside. */
import { appendFileSync } from 'node:fs'
import { systemClock } from '@gantry/core'
import { lock } from '../lock.ts'

const [, , path, journal, name, rounds] = process.argv
if (!path || !journal) throw new Error('Started by a test')
const signal = AbortSignal.timeout(60_000)

for (let round = 0; round < Number(rounds); round += 1) {
  const held = await lock(path, { clock: systemClock, signal })
  appendFileSync(journal, `${name} in\n`)
  // Every other contender dies at some point with the lock in its hand.
  if (Number(name) % 2 === 1 && round === 5 + Number(name)) {
    appendFileSync(journal, `${name} dies\n`)
    process.kill(process.pid, 'SIGKILL')
  }
  appendFileSync(journal, `${name} out\n`)
  held.release()
}
