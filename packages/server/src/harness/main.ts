/**
 * `npm run harness [-- --engine local|docker|kubernetes] [--sample 3/20 | --only TEXT] [--victim WHO] [--list]`:
 * kills the server (and the edge, and the supervisor, Docker's daemon or the API server) everywhere, and says how each
 * one went. `--victim` is one of server, edge, supervisor, daemon and api. `--only`
 * takes the targets whose names have this text in them, `--list` only names them. `--at NAME`, as often as wanted, goes
 * straight to a target of this very name: no life is watched first, so how many objects there should be is not known.
 * `--at-once` says how many installations live, and die, beside each other. `--sample 3/20` takes the third of twenty
 * samples that are all targets together, `--sample 3` of as many as there are by default. They are tried in an order in which
 * what an engine is asked comes first, and `--beside FILE` leaves out what the output of another run says has passed. `--seen FILE`
 * keeps what was seen in lives without a death, for the next run. `--minutes 13` begins nothing more after so many: what was not
 * come to is said.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Acted } from './act.ts'
import { livesAtOnce, nothingSeen, type Tried, tryAll, watchLives } from './campaign.ts'
import { type GroundName, groundNames } from './ground.ts'
import { grounds } from './grounds.ts'
import { livesOn } from './kinds-of-life.ts'
import { seenIn } from './seen-file.ts'
import { allTargets, inSample, sampleFrom, shuffled, targetFrom, targetName } from './targets.ts'
import { closing, line, passedIn, watchedLine } from './telling.ts'
import { Workshop } from './workshop.ts'

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'local' },
    sample: { type: 'string' },
    only: { type: 'string' },
    beside: { type: 'string', multiple: true, default: [] },
    at: { type: 'string', multiple: true, default: [] },
    victim: { type: 'string' },
    list: { type: 'boolean', default: false },
    /** How many are watched to find all points: not every run passes everywhere. */
    lives: { type: 'string', default: '3' },
    seen: { type: 'string' },
    minutes: { type: 'string' },
    'at-once': { type: 'string', default: String(livesAtOnce) },
  },
})
const atOnce = Number(values['at-once'])
const began = performance.now()
const isGround = (name: string): name is GroundName => (groundNames as readonly string[]).includes(name)
const { engine } = values
if (!isGround(engine)) throw new Error(`--engine is one of ${groundNames.join(', ')}, not ${engine}`)
const workshop = new Workshop(grounds[engine])
// Whoever ends it gets what runs taken down too. Some are told twice, by a terminal and by who started them: still in order.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => workshop.end())
const { minutes } = values
const deadline = minutes === undefined ? undefined : setTimeout(() => workshop.end(), Number(minutes) * 60_000)
try {
  const named = values.at.map(targetFrom)
  const watch = async () => {
    const tell = (acted: Acted) => process.stdout.write(`${watchedLine(acted)}\n`)
    const seen = await watchLives(workshop, livesOn[engine], Number(values.lives), { atOnce, tell })
    return { seen, isWhole: !workshop.isOver }
  }
  const seen = named.length > 0 ? nothingSeen : await seenIn(values.seen, engine, watch)
  const all = named.length > 0 ? named : allTargets(engine, seen.passed)
  const sampled = values.sample === undefined ? all : inSample(all, ...sampleFrom(values.sample, engine))
  const { only } = values
  const chosen = only === undefined ? sampled : all.filter((target) => targetName(target).includes(only))
  const known = new Set((await Promise.all(values.beside.map((file) => readFile(file, 'utf8')))).flatMap(passedIn))
  const wanted = shuffled(chosen).filter(
    (target) => (values.victim === undefined || target.victim === values.victim) && !known.has(targetName(target)),
  )
  process.stdout.write(`${all.length} points were seen, ${wanted.length} of them are tried\n`)
  if (values.list) for (const target of wanted) process.stdout.write(`${targetName(target)}\n`)
  let done = 0
  const tell = (one: Tried): void => {
    done += 1
    process.stdout.write(`${line(engine, one, done, wanted.length)}\n`)
  }
  const tried = await tryAll(workshop, seen, values.list ? [] : wanted, tell, atOnce)
  const left = await workshop.close()
  process.stdout.write(`${closing(tried, left, performance.now() - began, values.list ? 0 : wanted.length)}\n`)
  process.exitCode = tried.some(({ end }) => end === 'failed') || left.length > 0 ? 1 : 0
} finally {
  clearTimeout(deadline)
  await workshop.close()
}
