/** What the processes of the tests do, as programs for `node -e`. */

/** Says that it runs, and stays until it is asked to end. */
export const staying = `console.log('up ' + process.pid); setInterval(() => {}, 1000)`

/** Ends with this code at once. */
export const ending = (code: number): string => `process.exitCode = ${code}`

/** Does not end when asked to. */
export const stubborn = `process.on('SIGTERM', () => console.log('asked')); ${staying}`

/** Says when it was asked, and takes its time. */
export const slow = (ms: number): string =>
  `process.on('SIGTERM', () => { console.log('asked'); setTimeout(() => process.exit(0), ${ms}) }); ${staying}`

/** Counts on stdout as fast as it may, to a number, then stays. */
export const counting = (to: number): string => `
let i = 0
function more() {
  while (i < ${to}) if (!process.stdout.write('line ' + (i++) + ' ' + 'x'.repeat(80) + '\\n')) return process.stdout.once('drain', more)
  console.error('done'); setInterval(() => {}, 1000)
}
more()`

/** Leaves a grandchild behind that has a session of its own and no parent that is known, and says its pid. */
export const escaping = (environment: 'kept' | 'cleared', main = staying): string => `
const { spawn } = require('node:child_process')
const grandchild = "console.log('escaped ' + process.pid); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"
const child = "const { spawn } = require('node:child_process');"
  + "spawn(process.execPath, ['-e', " + JSON.stringify(grandchild) + "], { detached: true, stdio: 'inherit', env: ${environment === 'kept' ? 'process.env' : '{}'} }).unref();"
spawn(process.execPath, ['-e', child], { detached: true, stdio: 'inherit' })
${main}`
