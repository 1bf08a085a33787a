/** From nothing to all ready: how convergence grows with the number of objects. A process per round. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Bench } from '../bench.ts'
import { limited } from '../rounds.ts'
import type { Figures } from './round.ts'

const small = 1_000
const large = 10_000

export type Growth = Pick<Bench, 'name' | 'about'> & {
  /** The program of a round; see `round.ts`. */
  readonly child: URL
  /** What there are more and more of, in the plural. */
  readonly what: string
  readonly mostSeconds: number
  readonly mostMegabytes: number
}

export function growth({ name, about, child, what, mostSeconds, mostMegabytes }: Growth): Bench {
  return {
    name,
    about,
    unit: 'as each case says',
    better: 'lower',
    async run({ rounds, signal, say }) {
      const few: Figures[] = []
      const many: Figures[] = []
      for (let round = 0; round < rounds; round++) {
        few.push(await oneRound(child, small, signal))
        many.push(await oneRound(child, large, signal))
        say(`round ${round + 1} of ${rounds}: ${few.at(-1)?.seconds} s, then ${many.at(-1)?.seconds} s`)
      }
      const times = many.map(({ seconds }, round) => seconds / (few[round]?.seconds ?? Number.NaN))
      return [
        limited(`seconds, ${small} ${what}`, 'lower', seconds(few), mostSeconds),
        limited(`seconds, ${large} ${what}`, 'lower', seconds(many), mostSeconds),
        limited(`times the time for ten times the ${what}`, 'lower', times, 11),
        limited(`peak resident MB, ${small} ${what}`, 'lower', megabytes(few), mostMegabytes),
        limited(`peak resident MB, ${large} ${what}`, 'lower', megabytes(many), mostMegabytes),
      ]
    },
  }
}

async function oneRound(child: URL, count: number, signal: AbortSignal): Promise<Figures> {
  const args = [fileURLToPath(child), String(count)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { signal, timeout: 600_000 })
  return JSON.parse(stdout) as Figures
}

const seconds = (figures: readonly Figures[]): number[] => figures.map((one) => one.seconds)
const megabytes = (figures: readonly Figures[]): number[] => figures.map((one) => one.megabytes)
