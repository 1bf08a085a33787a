/** The program: `supervisor-main.js <data folder> <how to track> <idle ms> <version>`. Started by the client, never by hand. */
import { runSupervisor } from './supervisor-program.ts'
import type { TrackBy } from './tracking/choose.ts'

const [dataDir, trackBy, idleMs, version] = process.argv.slice(2)
if (dataDir === undefined || version === undefined) {
  process.stderr.write('usage: supervisor-main <data folder> <best|cgroup2|cgroup1|marker> <idle ms> <version>\n')
  process.exit(2)
}

process.title = `gantry-supervisor ${dataDir}`
const ran = await runSupervisor({ dataDir, trackBy: (trackBy ?? 'best') as TrackBy, idleMs: Number(idleMs), version })
// Children that are kept hold no handle of ours, but timers of what was being done may.
process.exit(ran ? 0 : 3)
