/** A test program as a process of its own: `node run-program.js STATE PROGRAM [ARGUMENT …]`. See `contract/program.ts`. */
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { TestProgram } from '../../contract/program.ts'

const [state = '', text = '{}', ...args] = process.argv.slice(2)
const program = JSON.parse(text) as TestProgram

// Before the first word: whoever reads it may ask at once.
process.on('SIGTERM', () => {
  if (!program.ignoresTerm) process.exit(0)
})

if (program.printsArgs) for (const argument of args) process.stdout.write(`arg ${argument}\n`)
for (const { stream, line } of program.prints ?? []) process[stream].write(`${line}\n`)

let well = false
const become = (healthy: boolean): void => {
  well = healthy
  // A command that asks for its health has only the file system in common with it.
  if (healthy) writeFileSync(state, '')
  else rmSync(state, { force: true })
}
become(false)
setTimeout(() => become(true), program.healthyAfterMs ?? 0)
if (program.healthyUntilMs !== undefined) setTimeout(() => become(false), program.healthyUntilMs)

if (program.listens !== undefined) {
  const port = Number(process.env[`PORT_${program.listens.toUpperCase().replaceAll('-', '_')}`])
  createServer((_request, response) => {
    response.writeHead(well ? 200 : 503).end()
  }).listen(port)
}

if (program.counts) {
  const { line, everyMs } = program.counts
  let count = 0
  const tick = (): void => {
    count += 1
    process.stdout.write(`${line} ${count}\n`)
  }
  tick()
  setInterval(tick, everyMs)
}

if (program.exits) setTimeout(() => process.exit(program.exits?.code), program.exits.afterMs)

if (program.burnsCpu) {
  // In short turns, so that it still hears when it is asked to end.
  const burn = (): void => {
    const until = performance.now() + 20
    while (performance.now() < until) Math.sqrt(until)
    setImmediate(burn)
  }
  burn()
} else setInterval(() => undefined, 2 ** 30)
