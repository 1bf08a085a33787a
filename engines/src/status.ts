/** How each engine stands on this machine, looked at without starting anything. */
import { join } from 'node:path'
import { type Call, type Clock, isFault, sleep, systemClock } from '@gantry/core'
import type { EngineDefinition } from './engine.ts'
import { instanceFolders, sharedFolder } from './folder.ts'
import { type Failure, lastFailure } from './keeper/failure.ts'
import { type Link, linkTo } from './keeper/link.ts'
import { type Answer, type Ask, type KeeperStatus, keeperFiles } from './keeper/protocol.ts'
import { sweep } from './keeper/remains.ts'
import { lockHolder } from './lock.ts'
import type { ProcessIdentity } from './process-identity.ts'
import { type EngineName, engines } from './table.ts'

export type EngineStatus = {
  readonly name: EngineName
  readonly version: string
  readonly state: 'available' | 'running' | 'missing'
  readonly why?: string
  readonly keeper?: KeeperStatus
  /** The last start that came to nothing, if none has come to something since. */
  readonly failed?: Failure
}

export function engineNames(): readonly EngineName[] {
  return Object.keys(engines) as EngineName[]
}

export function isEngineName(name: string): name is EngineName {
  return Object.hasOwn(engines, name)
}

export async function engineStatus(name: EngineName, call: Call): Promise<EngineStatus> {
  try {
    return await look(name, call)
  } catch (error) {
    if (call.signal.aborted || !isFault(error, 'unavailable')) throw error
    return { name, version: engines[name].version, state: 'missing', why: error.message }
  }
}

async function look(name: EngineName, call: Call): Promise<EngineStatus> {
  const { version } = engines[name]
  const keeper = await askShared(name, { ask: 'status' }, call)
  if (keeper?.state === 'status' && keeper.status.state !== 'missing') {
    return { name, version, state: 'running', keeper: keeper.status }
  }
  const why = await engines[name].probe(call)
  if (why !== undefined) return { name, version, state: 'missing', why }
  const failed = lastFailure(sharedFolder(engines[name]))
  return { name, version, state: 'available', ...(failed ? { failed } : {}) }
}

/** A sponsor takes its hand off: the engine stops now, unless somebody else holds it. Resolves when that is settled. */
export async function leaveEngine(name: EngineName, sponsor: ProcessIdentity, call: Call): Promise<void> {
  const answer = await askShared(name, { ask: 'leave', sponsor }, call)
  if (answer?.state === 'done' && answer.stopping) await untilFree(sharedFolder(engines[name]), call)
}

/** Stops every instance of the engine, whoever uses it, and clears what crashed ones left. Answers how many keepers there were. */
export async function stopEngine(name: EngineName, call: Call): Promise<number> {
  const definition: EngineDefinition<unknown> = engines[name]
  let stopped = 0
  for (const folder of instanceFolders(engines[name])) {
    const link = await linkTo(folder)
    if (!link) continue
    await askOnce(link, { ask: 'stop' }, call)
    await untilFree(folder, call)
    stopped += 1
  }
  await sweep(definition, { ...call, clock: systemClock })
  return stopped
}

async function askShared(name: EngineName, ask: Ask, call: Call): Promise<Answer | undefined> {
  const link = await linkTo(sharedFolder(engines[name]))
  return link && askOnce(link, ask, call)
}

/** Undefined from a keeper that was just leaving: as good as none. */
async function askOnce(link: Link, ask: Ask, call: Call): Promise<Answer | undefined> {
  try {
    return await link.ask(ask, call)
  } catch (error) {
    if (isFault(error, 'unavailable')) return undefined
    throw error
  } finally {
    link.close()
  }
}

async function untilFree(folder: string, { signal }: Call, clock: Clock = systemClock): Promise<void> {
  while (lockHolder(join(folder, keeperFiles.lock))) await sleep(clock, 20, { signal })
}
