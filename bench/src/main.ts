/** `npm run bench [-- name] [--json] [--rounds N] [--record]`: one benchmark, or all of them and a new RESULTS.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isFault } from '@gantry/core'
import type { Bench, Report } from './bench.ts'
import { benches } from './benches.ts'
import { machine } from './machine.ts'
import { markdownSection, terminalTable } from './report.ts'
import { pageWith } from './results-page.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    record: { type: 'boolean', default: false },
  },
})

const stop = new AbortController()
process.once('SIGINT', () => stop.abort(new Error('interrupted')))

async function runOne(bench: Bench): Promise<Report> {
  const say = (line: string): void => void process.stderr.write(`${bench.name}: ${line}\n`)
  const { name, unit, better } = bench
  try {
    const rows = await bench.run({ signal: stop.signal, rounds: Math.max(5, Number(values.rounds)), say })
    return { name, unit, better, rows, reached: rows.every((row) => row.reached) }
  } catch (error) {
    if (stop.signal.aborted || !isFault(error) || error.reason !== 'engine_unreachable') throw error
    return { name, unit, better, rows: [], missing: error.message, reached: false }
  }
}

async function main(): Promise<number> {
  const wanted = positionals.length === 0 ? benches : benches.filter((bench) => positionals.includes(bench.name))
  const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name))
  if (unknown.length > 0) {
    process.stderr.write(
      `There is no benchmark ${unknown.join(', ')}; there are ${benches.map((b) => b.name).join(', ')}.\n`,
    )
    return 2
  }
  const sections = new Map<string, string>()
  let reached = true
  for (const bench of wanted) {
    const report = await runOne(bench)
    process.stdout.write(`${values.json ? JSON.stringify(report) : terminalTable(report)}\n`)
    sections.set(bench.name, markdownSection(report, bench.about, machine(new Date())))
    reached &&= report.reached
  }
  if (positionals.length === 0 || values.record) {
    const file = fileURLToPath(new URL('../RESULTS.md', import.meta.url))
    const names = benches.map(({ name }) => name)
    writeFileSync(file, pageWith(readFileSync(file, 'utf8'), sections, names))
  }
  return reached ? 0 : 1
}

process.exitCode = await main()
