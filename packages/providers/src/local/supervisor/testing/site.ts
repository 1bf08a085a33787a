/** A data folder of a test's own, with its supervisor; taken away whole afterwards, whatever the test has done to it. */
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Call, sleep, systemClock } from '@gantry/core'
import { linesOf } from '../../../log-text.ts'
import { codeOf, type ProcessIdentity, sendSignal, statOf, untilGone } from '../../../proc/processes.ts'
import { reachable } from '../../../testing/reachable.ts'
import { type ConnectOptions, connectSupervisor } from '../client/connect.ts'
import { foldersOf } from '../folders.ts'
import { memoryDir } from '../memory-dir.ts'
import { lockHolder } from '../process-lock.ts'
import type { ProcessSeen } from '../process-seen.ts'
import type { ProcessSpec } from '../process-spec.ts'
import type { JournalRecord } from '../process-state.ts'
import type { Supervisor } from '../supervisor.ts'

const patienceMs = 30_000

export class Site {
  readonly dataDir: string
  readonly supervisor: Supervisor
  readonly call: Call = { signal: new AbortController().signal }
  readonly #options: Partial<ConnectOptions>
  readonly #root: string

  constructor(options: Partial<ConnectOptions> = {}, folder = '') {
    this.#root = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-supervisor-'))
    // Another user may have to get here.
    chmodSync(this.#root, 0o755)
    this.dataDir = join(this.#root, folder)
    this.#options = options
    this.supervisor = this.connect()
  }

  /** As a server that was started anew would. */
  connect(): Supervisor {
    return connectSupervisor(this.dataDir, { start: true, ...this.#options })
  }

  spec(id: string, program: string, more: Partial<ProcessSpec> = {}): ProcessSpec {
    return {
      id,
      labels: {},
      role: 'workload',
      argv: [reachable(process.execPath), '-e', program],
      cwd: tmpdir(),
      env: { PATH: process.env.PATH ?? '' },
      restart: { policy: 'never', maxPerHour: 100 },
      stopGraceMs: 5000,
      ...more,
    }
  }

  /** Waits until what is seen of a process satisfies. */
  async seen(id: string, wanted: (seen: ProcessSeen) => boolean, what: string): Promise<ProcessSeen> {
    let last: ProcessSeen | undefined
    await this.until(
      what,
      async () => {
        last = await this.supervisor.look(id, this.call)
        return last !== undefined && wanted(last)
      },
      () => JSON.stringify(last),
    )
    if (!last) throw new Error(`process ${id} is not known`)
    return last
  }

  async until(what: string, done: () => boolean | Promise<boolean>, told = (): string => ''): Promise<void> {
    const deadline = systemClock.monotonic() + patienceMs
    while (!(await done())) {
      if (systemClock.monotonic() > deadline) throw new Error(`not so within ${patienceMs} ms: ${what} ${told()}`)
      await sleep(systemClock, 20, this.call)
    }
  }

  /** All lines that are there, as `stdout: text`. */
  async lines(id: string): Promise<string[]> {
    const lines: string[] = []
    for await (const log of this.supervisor.output(id, { follow: false }, this.call)) {
      if (log.type === 'gap') lines.push(`gap: ${log.message}`)
      else lines.push(...linesOf(log.text).map((line) => `${log.stream}: ${line}`))
    }
    return lines
  }

  /** Waits for a line, and answers it without its stream. */
  async line(id: string, pattern: RegExp): Promise<string> {
    let found: string | undefined
    await this.until(`a line like ${pattern}`, async () => {
      found = (await this.lines(id)).find((line) => pattern.test(line))
      return found !== undefined
    })
    return (found ?? '').replace(/^\w+: /, '')
  }

  holder(): ProcessIdentity {
    const holder = lockHolder(foldersOf(this.dataDir).lock)
    if (!holder) throw new Error('there is no supervisor')
    return holder
  }

  /** kill -9 of the supervisor; the next request starts another one. */
  async killSupervisor(): Promise<void> {
    const holder = this.holder()
    sendSignal(holder, 'SIGKILL')
    if (!(await untilGone(holder, patienceMs))) throw new Error('the supervisor is still there')
  }

  /** Takes the last record of this type out of the journal, as if the supervisor had died before it was written. */
  forget(id: string, type: JournalRecord['type']): void {
    const { journal } = foldersOf(this.dataDir)
    const lines = readFileSync(journal, 'utf8').split('\n')
    const at = lines.findLastIndex((line) => line.includes(`"type":"${type}","id":"${id}"`))
    if (at < 0) throw new Error(`there is no record ${type} of ${id}`)
    writeFileSync(journal, lines.toSpliced(at, 1).join('\n'))
  }

  async close(): Promise<void> {
    for (const each of await this.supervisor.list({}, this.call)) {
      await this.supervisor.stop(each.id, { graceMs: 0 }, this.call)
      await this.seen(each.id, ({ phase }) => phase === 'stopped', 'stopped at the end')
      await this.supervisor.remove(each.id, this.call)
    }
    const holder = lockHolder(foldersOf(this.dataDir).lock)
    await this.supervisor.shutdown({ processes: 'stop' }, this.call)
    // It has answered, and may not have ended yet: what it writes last must not stand in the way.
    if (holder && !(await untilGone(holder, patienceMs))) throw new Error('the supervisor is still there')
    const memory = memoryDir(this.dataDir)
    if (memory !== undefined) rmSync(memory, { recursive: true, force: true })
    await this.until('its folder to be gone', () => isRemoved(this.#root))
  }
}

/** One that ended before may still write: Node's own retries do not look for what has come into a folder meanwhile. */
function isRemoved(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true })
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOTEMPTY') return false
    throw error
  }
}

/** By pid alone: for processes that a test has found by their own words. */
export function identityOf(pid: number): ProcessIdentity {
  const stat = statOf(pid)
  if (!stat) throw new Error(`there is no process ${pid}`)
  return { pid, started: stat.started }
}
