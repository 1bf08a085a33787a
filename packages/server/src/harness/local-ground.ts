/** Processes of this machine, which the supervisor has. */
import { webWorkload } from '../whole/testing/web-program.ts'
import type { Ground, Installation, OpenGround } from './ground.ts'
import { edgePart, marked, supervised } from './looking.ts'

export const openLocalGround: OpenGround = async (installation) => groundOn(await installation)

const groundOn = ({ system, supervisor }: Installation): Ground => ({
  patienceMs: 60_000,
  web: webWorkload,
  partsOf: (engineId) => [`${engineId}.web`],
  running: () => supervised(supervisor),

  async strays({ running }) {
    const main = new Set([...running.values()].map(({ run }) => run))
    const all = [...(await marked(system.dataDir))]
    const unknown = all.filter(([pid]) => !main.has(String(pid)))
    return unknown.map(([pid, id]) => `process ${pid} runs for ${id}, and nobody knows of it`)
  },

  settle: async () => undefined,

  async aimAt(victim) {
    const { pid } = await supervisor.info({ signal: AbortSignal.timeout(30_000) })
    if (victim === 'supervisor') return { pid, signal: 'SIGKILL' }
    throw new Error(`there is no ${victim} here`)
  },
  endsWith: (victim, part) => victim === 'edge' && part === edgePart,
  revive: async () => undefined,
  close: async () => [],
})
