/** `npm test [-- vitest arguments]`: everything this machine can run, and an honest end. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type EngineName,
  engineNames,
  engineStatus,
  leaveEngine,
  prepareEngine,
  sponsorEnv,
  thisProcess,
} from '@gantry/engines'
import { closingReport } from './run/closing-report.ts'
import { engineLines } from './run/engine-lines.ts'
import { wantsEngines } from './run/engines-ahead.ts'
import { nodeProgram, wantedNodes } from './run/nodes.ts'
import { selectionFor } from './run/selection.ts'
import type { Tally } from './run/tally.ts'
import { type NodeRun, problems } from './run/verdict.ts'

const suite = fileURLToPath(new URL('./run/suite.js', import.meta.url))
const { signal } = new AbortController()
const args = process.argv.slice(2)
const others = wantedNodes(process.env.GANTRY_NODES)
const results = mkdtempSync(join(tmpdir(), 'gantry-test-'))
const self = thisProcess()
const endings: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** Then there are no further runs, only the report of those that were. */
let toldToEnd = false

try {
  const started = Date.now()
  const before = await statuses()
  if (wantsEngines(args)) for (const name of engineNames()) await prepare(name)
  const runs = [await runSuite(process.version.slice(1), process.execPath, args)]
  for (const version of others) {
    if (toldToEnd) break
    console.log(`\nAgain on Node ${version}`)
    runs.push(await runSuiteOn(version))
  }
  const engines = engineLines(before, await statuses(), started)
  for (const name of engineNames()) await leaveEngine(name, self, { signal })
  const found = problems(runs, engines, {
    enginesRequired: process.env.GANTRY_ENGINES === 'required',
    filteredByName: args.some((arg) => arg === '-t' || arg.startsWith('--testNamePattern')),
  })
  console.log(`\n${closingReport(runs, engines, found)}`)
  process.exitCode = found.length === 0 ? 0 : 1
} finally {
  rmSync(results, { recursive: true, force: true })
}

/** What fails here is told by the tests that want it. */
async function prepare(name: EngineName): Promise<void> {
  await prepareEngine(name, { signal }).catch((error: unknown) => console.error(`${name}: ${String(error)}`))
}

function statuses() {
  return Promise.all(engineNames().map((name) => engineStatus(name, { signal })))
}

/** A version that cannot be had is a run without a result, and told like one. */
async function runSuiteOn(node: string): Promise<NodeRun> {
  const program = await nodeProgram(node, { signal }).catch((error: unknown) => ({ exit: String(error) }))
  if (typeof program !== 'string') return { node, exit: program.exit, tally: undefined }
  if (args.length > 0) return runSuite(node, program, args)
  const { filters, env } = selectionFor(node)
  return runSuite(node, program, filters, env)
}

async function runSuite(
  node: string,
  program: string,
  which: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<NodeRun> {
  const file = join(results, `${node}.json`)
  const exit = await new Promise<number | string>((resolve, reject) => {
    const child = spawn(program, [suite, file, ...which], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...sponsorEnv(self), ...env },
      // A group of its own, so that the workers of a runner that is ended do not go on without it.
      detached: true,
    })
    // Whoever ends the run gets its closing report all the same, and nothing is left running.
    const pass = (name: NodeJS.Signals): void => {
      toldToEnd = true
      child.kill(name)
    }
    for (const name of endings) process.on(name, pass)
    child.once('error', reject)
    child.once('exit', (code, ended) => {
      for (const name of endings) process.off(name, pass)
      endGroup(child.pid)
      resolve(code ?? ended ?? 'nothing')
    })
  })
  return { node, exit, tally: readTally(file) }
}

function endGroup(group: number | undefined): void {
  try {
    if (group !== undefined) process.kill(-group, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function readTally(file: string): Tally | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Tally
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
