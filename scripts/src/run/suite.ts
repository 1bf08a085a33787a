/** One run of the suite in a process of its own, on whichever Node it was started with: `suite.js <result file> [vitest arguments]`. */
import { writeFileSync } from 'node:fs'
import { parseCLI, type Reporter, startVitest } from 'vitest/node'
import { type Tally, tallyOf } from './tally.ts'

const [, , resultFile, ...args] = process.argv
if (!resultFile) throw new Error('Started by `npm test`, not by hand')

const { filter, options } = parseCLI(['vitest', 'run', ...args])
// The parser hands on `--reporter` under the name of the flag, which its type does not say.
const { reporter, ...rest } = options as typeof options & { reporter?: string | string[] }
const tally: Reporter = {
  onTestRunEnd(modules, errors, reason) {
    const result: Tally = tallyOf(modules, errors, reason === 'interrupted')
    // Written here and not at the end: if the process breaks afterwards, the exit code still tells.
    writeFileSync(resultFile, JSON.stringify(result))
  },
}
const chosen = reporter === undefined ? ['default'] : [reporter].flat()
await startVitest('test', filter, { ...rest, watch: false, run: true, reporters: [...chosen, tally] })
// Whatever a test has left open must not hold the run, and vitest has already said how it went.
process.exit()
