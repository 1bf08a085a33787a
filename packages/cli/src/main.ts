/** The program `gantry`. Everything that a command needs is loaded when it is run, and nothing else. */
import { Fault } from '@gantry/core'
import { commands } from './commands/table.ts'
import { program } from './program.ts'
import { releaseKeyboard } from './world/keyboard.ts'
import { processWorld } from './world/process-world.ts'

const ended = new AbortController()
let interrupted = 0

process.on('SIGINT', () => {
  interrupted += 1
  // Who asks twice means it.
  if (interrupted > 1) process.exit(130)
  ended.abort(new Fault('aborted', 'Ended by Ctrl-C'))
})
process.once('SIGTERM', () => ended.abort(new Fault('aborted', 'Ended by a signal')))
// Whoever reads has had enough; a failing write says so where it happens.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

void program(commands, process.argv.slice(2), (globals) => processWorld(globals, ended.signal)).then((code) => {
  process.exitCode = code
  releaseKeyboard()
  // What is still open is for nobody any more, and taking it down in order takes longer than many a command.
  if (process.stdout.writableLength === 0) process.exit()
})
