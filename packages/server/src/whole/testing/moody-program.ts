/** A service whose mood is a file: what is wrong with it comes and goes while nobody touches its spec. */

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reachable } from '@gantry/providers/testing'
import { type WebOptions, webWorkload } from './web-program.ts'

/** Each look at `MOOD`: `crash` ends it at once with 3, `sick` fails its health check, anything else is well. */
const moodyProgram = `
const { createServer } = require('node:http')
const { existsSync, readFileSync } = require('node:fs')
const { PORT, MOOD = '', SAYS = 'v1' } = process.env
const mood = () => (existsSync(MOOD) ? readFileSync(MOOD, 'utf8').trim() : '')
if (mood() === 'crash') { console.error('cannot start: the answer is 42'); process.exit(3) }
console.log('begins as ' + SAYS)
createServer((request, response) => {
  response.statusCode = request.url === '/healthz' && mood() === 'sick' ? 503 : 200
  response.end(SAYS)
}).listen(Number(PORT), '127.0.0.1')
process.on('SIGTERM', () => { console.log('ends as ' + SAYS); process.exit(0) })
`

/** A service of the web workload with some of it another way. */
export function oneService(name: string, service: object, { strategy, more }: Partial<WebOptions> = {}) {
  const { spec, ...rest } = webWorkload({ name, replicas: 1, ...(strategy && { strategy }), ...(more && { more }) })
  return { ...rest, spec: { ...spec, services: spec.services.map((each) => ({ ...each, ...service })) } }
}

export const moody = (mood: string, says = 'v1') => ({
  command: [reachable(process.execPath), '-e', moodyProgram],
  env: { MOOD: mood, SAYS: says },
})

export type Moods = {
  /** Where programs of any user may look. */
  readonly folder: string
  file(name: string): string
  set(name: string, mood: string): Promise<void>
  remove(): Promise<void>
}

export async function openMoods(): Promise<Moods> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-moods-'))
  await chmod(folder, 0o755)
  const file = (name: string): string => join(folder, name)
  return {
    folder,
    file,
    set: (name, mood) => writeFile(file(name), mood),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
