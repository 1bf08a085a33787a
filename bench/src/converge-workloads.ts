/** From nothing to all ready, with everything that a server has: how convergence grows with the number of workloads. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Bench } from './bench.ts'
import { limited } from './rounds.ts'

const small = 1_000
const large = 10_000

export const convergeWorkloads: Bench = {
  name: 'converge-workloads',
  about:
    'Workloads of one service and one replica on the simulated engine, in a whole control plane with all its controllers ' +
    'and a database on disk, from nothing to all ready and settled; on the real clock, a process per round. Its peer is ' +
    'itself: ten times the workloads may cost eleven times the time.',
  unit: 'as each case says',
  better: 'lower',
  async run({ rounds, signal, say }) {
    const few: Figures[] = []
    const many: Figures[] = []
    for (let round = 0; round < rounds; round++) {
      few.push(await oneRound(small, signal))
      many.push(await oneRound(large, signal))
      say(`round ${round + 1} of ${rounds}: ${few.at(-1)?.seconds} s, then ${many.at(-1)?.seconds} s`)
    }
    const growth = many.map(({ seconds }, round) => seconds / (few[round]?.seconds ?? Number.NaN))
    return [
      limited(`seconds, ${small} workloads`, 'lower', seconds(few), 120),
      limited(`seconds, ${large} workloads`, 'lower', seconds(many), 120),
      limited('times the time for ten times the workloads', 'lower', growth, 11),
      limited(`peak resident MB, ${small} workloads`, 'lower', megabytes(few), 600),
      limited(`peak resident MB, ${large} workloads`, 'lower', megabytes(many), 600),
    ]
  },
}

type Figures = { readonly seconds: number; readonly megabytes: number }

async function oneRound(count: number, signal: AbortSignal): Promise<Figures> {
  const child = fileURLToPath(new URL('./converge-workloads/child.js', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [child, String(count)], { signal, timeout: 600_000 })
  return JSON.parse(stdout) as Figures
}

const seconds = (figures: readonly Figures[]): number[] => figures.map((one) => one.seconds)
const megabytes = (figures: readonly Figures[]): number[] => figures.map((one) => one.megabytes)
