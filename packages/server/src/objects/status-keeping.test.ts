import { Fault, type GantryObject, isFault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { overlay } from '@gantry/providers'
import { openStore, type Store, systemScope } from '@gantry/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KeptStatus } from './status-keeping.ts'

const scope = systemScope()
const call = { signal: new AbortController().signal }
const keyOf = (kind: string, name: string) => ({ kind, tenant: 'shop', name })

let clock: VirtualClock
let store: Store
let seen: Store
let kept: KeptStatus
let refusal: Fault | undefined

beforeEach(async () => {
  clock = new VirtualClock()
  refusal = undefined
  store = await openStore({ database: 'sqlite::memory:', clock }, call)
  const broken = overlay(store, {
    write: async (...asked) => {
      if (refusal) throw refusal
      return await store.write(...asked)
    },
  })
  kept = new KeptStatus(clock)
  seen = kept.watch(broken)
  const keys = [keyOf('Workload', 'web'), keyOf('Instance', 'web-a'), keyOf('Workload', 'web-2')]
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'converged',
    message: 'all is well',
    since: '2026-01-01T00:00:00.000Z',
  } as const
  const drafts = keys.map(
    (key) => ({ op: 'create', draft: { key, spec: {}, status: { conditions: [ready] } } }) as const,
  )
  await store.write(scope, drafts, {}, call)
})
afterEach(() => store.close())

async function read(kind: string, name: string): Promise<GantryObject> {
  const found = await store.read(scope, keyOf(kind, name), call)
  if (!found) throw new Error(`there is no ${kind} ${name}`)
  return found
}

/** As a controller would. */
async function look(kind: string, name: string): Promise<void> {
  const { metadata, status } = await read(kind, name)
  const at = { ...status, looked: clock.now() }
  const command = { op: 'status', key: keyOf(kind, name), status: at, ifVersion: metadata.resourceVersion } as const
  await seen.write(scope, [command], {}, call).catch((error: unknown) => {
    if (!isFault(error)) throw error
  })
}

const ready = async (name: string) => {
  const { status } = kept.shown(await read('Workload', name)) as { status: GantryObject['status'] }
  const { status: is, reason, message, since } = status.conditions?.find(({ type }) => type === 'Ready') ?? {}
  return { is, reason, message, since }
}

describe('what was seen and could not be kept', () => {
  const full = new Fault('store_full', 'The disk is full; free some space')

  it('makes a workload unknown, with why and since when, until it could be', async () => {
    const since = new Date(clock.now()).toISOString()
    refusal = full
    await look('Instance', 'web-a')
    await clock.advance(60_000)
    await look('Instance', 'web-a')
    const message = `What was seen since ${since} could not be kept: The disk is full; free some space`
    expect(await ready('web')).toEqual({ is: 'Unknown', reason: 'store_full', message, since })
    expect(kept.of(keyOf('Instance', 'web-a'))).toMatchObject({ since })
    expect(await ready('web-2')).toMatchObject({ is: 'True' })
    refusal = undefined
    await look('Instance', 'web-a')
    expect(await ready('web')).toMatchObject({ is: 'True', message: 'all is well' })
  })

  it('is forgotten when nobody had anything to say about it for longer than anybody waits', async () => {
    refusal = full
    await look('Workload', 'web')
    await clock.advance(5 * 60_000)
    expect(await ready('web')).toMatchObject({ is: 'Unknown' })
    await clock.advance(2 * 60_000)
    expect(await ready('web')).toMatchObject({ is: 'True' })
  })

  it('is not what was refused because somebody else was faster', async () => {
    refusal = new Fault('version_conflict', 'somebody was faster')
    await look('Workload', 'web')
    expect(await ready('web')).toMatchObject({ is: 'True' })
  })
})
