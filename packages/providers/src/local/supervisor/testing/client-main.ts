/** A client that starts a process and tells its parent of it: to be killed. `client-main.js <data folder> <spec>` */
import { connectSupervisor } from '../client/connect.ts'
import type { ProcessSpec } from '../process-spec.ts'

const [dataDir = '', spec = '{}'] = process.argv.slice(2)
const supervisor = connectSupervisor(dataDir, { start: true })
const seen = await supervisor.ensure(JSON.parse(spec) as ProcessSpec, { signal: new AbortController().signal })
process.send?.(seen)
setInterval(() => undefined, 1000)
