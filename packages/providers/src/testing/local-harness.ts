/** The local engine's test rig: a data folder and a supervisor of its own for every case, and real processes. */
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Call, isFault, sleep, systemClock, withDeadline } from '@gantry/core'
import type { Harness } from '../contract/harness.ts'
import { Kit } from '../contract/kit.ts'
import { testSecrets } from '../contract/secrets.ts'
import type { Engine } from '../engine.ts'
import { engineLabel, label } from '../labels.ts'
import { leaveAtOnce } from '../leaving.ts'
import { type LocalEngine, localEngine } from '../local/index.ts'
import type { LocalOptions } from '../local/options.ts'
import { processId } from '../local/places.ts'
import { connectSupervisor } from '../local/supervisor/client/connect.ts'
import type { Supervisor } from '../local/supervisor/supervisor.ts'
import { memoryRecords } from '../memory-records.ts'
import type { Provider } from '../provider.ts'
import { providerFrom } from '../provider-from.ts'
import { cutSupervisor } from './cut-supervisor.ts'
import { freePort } from './free-port.ts'
import { localTruth } from './local-truth.ts'
import { nodePrograms } from './node-programs.ts'

export type LocalHarness = Harness & {
  /** Everything of this harness on disk is below. */
  readonly base: string
  readonly dataDir: string
  /** Files and folders of replicas and volumes that are still there, on disk and in memory. */
  filesLeft(): string[]
  /** As if the records had been on a disk that broke. */
  loseRecords(): void
  readonly supervisor: Supervisor
  readonly engine: LocalEngine
  /** Another engine on the same folder, as after a restart of the server. */
  reopen(more?: Partial<LocalOptions>): Promise<LocalEngine>
}

const clock = systemClock
const call: Call = { signal: new AbortController().signal }

export async function localHarness(more: Partial<LocalOptions> = {}): Promise<LocalHarness> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-local-')))
  // What runs as another user must be able to pass.
  chmodSync(base, 0o755)
  const [dataDir, state, workingDir] = [join(base, 'data'), join(base, 'state'), join(base, 'work')]
  mkdirSync(dataDir, { mode: 0o700 })
  for (const folder of [state, workingDir]) {
    mkdirSync(folder)
    chmodSync(folder, 0o777)
  }
  const installation = `installation-${randomUUID()}`
  const raw = connectSupervisor(dataDir, { start: true, clock, idleMs: 5000 })
  const line = cutSupervisor(raw)
  const root = process.getuid?.() === 0
  const user = root ? '1000:1000' : `${process.getuid?.()}:${process.getgid?.()}`
  const open = (with_: Partial<LocalOptions> = {}): Promise<LocalEngine> => {
    const options = { dataDir, installation, clock, leaving: leaveAtOnce, allowUsers: [user] }
    return localEngine({ ...options, supervisor: line.supervisor, ...more, ...with_ }, call)
  }
  const engine = await open()
  const run = root ? `${dataDir}-run` : join(dataDir, 'local')
  const { memoryDir } = await raw.info(call)
  const memory = memoryDir === undefined ? undefined : root ? `${memoryDir}-run` : join(memoryDir, 'local')
  const opened: LocalEngine[] = [engine]
  const programs = nodePrograms(join(state, 'well'))
  const secrets = testSecrets()
  const records = memoryRecords()
  const over = (behind: Engine, known = records): Provider =>
    providerFrom(behind, { name: 'under-test', installation, records: known, secrets, clock, ids: randomUUID })

  const harness: LocalHarness = {
    provider: over(engine),
    engine,
    base,
    dataDir,
    filesLeft: () => [run, ...(memory === undefined ? [] : [memory])].flatMap(leftIn),
    loseRecords: () => rmSync(join(dataDir, 'local', 'records'), { recursive: true }),
    supervisor: raw,
    installation,
    records,
    secrets,
    clock,
    over,
    settle: (work) => work,
    service: (program) => ({ command: programs.program(program) }),
    argv: (command) => programs.command(command),
    folder: '',
    workingDir,
    user,
    freePort,

    async hostFolder() {
      const path = join(base, 'host')
      mkdirSync(path, { recursive: true })
      chmodSync(path, 0o755)
      return { path, write: async (name, text) => writeFileSync(join(path, name), text) }
    },

    truth: (ref) => localTruth(raw, join(dataDir, 'local', 'records'), installation, ref, call),

    async exists(id) {
      return (await raw.list({ [engineLabel]: id }, call)).length > 0
    },

    async foreign(ref) {
      const other = await open({ installation: 'someone-else', supervisor: raw })
      opened.push(other)
      const desired = { ...new Kit(harness).desired({}, ref), installation: 'someone-else' }
      await other.replicas?.create(desired, 0, call)
      const [process] = await raw.list({ [label.installation]: 'someone-else', [label.uid]: ref.uid }, call)
      return process?.labels[engineLabel] ?? ''
    },

    async dial({ dial }) {
      if (!('host' in dial)) return false
      const answer = await fetch(`http://${dial.host}:${dial.port}/`).catch(() => undefined)
      return answer?.status === 200
    },

    cut: async () => line.cut(),
    heal: async () => line.heal(),

    async crash(engineId, service) {
      const pid = (await raw.look(processId(engineId, service), call))?.pid
      if (pid === undefined) throw new Error(`${service} of ${engineId} does not run`)
      process.kill(pid, 'SIGKILL')
    },

    async vanish(engineId) {
      for (const { id } of await raw.list({ [engineLabel]: engineId }, call)) await takeAway(raw, id)
    },

    async reopen(with_) {
      const next = await open(with_)
      opened.push(next)
      return next
    },

    async dispose() {
      line.heal()
      for (const each of opened) await each.close()
      await raw.shutdown({ processes: 'stop' }, call)
      for (const folder of [base, memory, memoryDir].filter((each) => each !== undefined)) {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  }
  return harness
}

function leftIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    if (name === 'records') return []
    const inside = readdirSync(join(folder, name)).map((each) => join(name, each))
    return name === 'replicas' || name === 'volumes' ? inside : [name]
  })
}

/** The engine starts again what somebody stops: whoever wants it gone must be quicker, and so tries until it is. */
async function takeAway(supervisor: Supervisor, id: string): Promise<void> {
  const deadline = withDeadline(clock, 30_000, `Taking ${id} away`, call)
  try {
    for (let there = true; there; ) {
      const { phase } = await supervisor.stop(id, { graceMs: 0 }, deadline)
      if (phase === 'stopping') await sleep(clock, 5, deadline)
      else there = !(await removed(supervisor, id, deadline))
    }
  } finally {
    deadline.clear()
  }
}

async function removed(supervisor: Supervisor, id: string, within: Call): Promise<boolean> {
  try {
    await supervisor.remove(id, within)
    return true
  } catch (error) {
    if (isFault(error) && error.reason === 'illegal_transition') return false
    throw error
  }
}
