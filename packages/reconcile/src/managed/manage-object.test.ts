import { Fault, sleep } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Run } from '../controller/reconcile.ts'
import { serial } from '../provisioners/serial.ts'
import { done, type Result, waiting } from '../results/result.ts'
import { breaking, type Mishap } from '../testing/breaking.ts'
import { MemoryObjects } from '../testing/memory-objects.ts'
import { type Answer, ScriptedStep } from '../testing/scripted-step.ts'
import { type ManageOptions, manageObject } from './manage-object.ts'

const key = { kind: 'Thing', tenant: 'acme', name: 'a' }
const wait = waiting('', 'pods')
let clock: VirtualClock
let objects: MemoryObjects
let journal: string[]
let troubles: Fault[]

beforeEach(() => {
  clock = new VirtualClock()
  objects = new MemoryObjects('Thing', clock)
  journal = []
  troubles = []
})

function runWith(more: Partial<Run> = {}): Run {
  return { signal: new AbortController().signal, fence: 1n, waitedMs: 0, stuckAfterMs: 600_000, ...more }
}

/** A reconcile over the tree `root/step`, whose step answers from the script over all passes. */
function manage(answers: { provision?: Answer[]; deprovision?: Answer[] } = {}, more: Partial<ManageOptions> = {}) {
  const step = new ScriptedStep('step', journal, answers)
  const reconcile = manageObject({
    objects,
    finalizer: 'ours',
    tree: () => serial('root', [step]),
    clock,
    onTrouble: (fault) => troubles.push(fault),
    ...more,
  })
  return (run: Partial<Run> = {}): Promise<Result> => reconcile(key, runWith(run))
}

const condition = (type: string) => objects.find('a')?.status.conditions?.find((one) => one.type === type)
const finalizers = () => objects.find('a')?.metadata.finalizers

describe('an object', () => {
  it('that is gone needs nothing', async () => {
    expect(await manage()()).toEqual(done())
    expect(journal).toEqual([])
  })

  it('that cannot be read is not taken for gone', async () => {
    objects.apply('a')
    const blind = breaking(objects, () => 'fails before')
    expect(await manage({}, { objects: blind })()).toMatchObject({ state: 'transient', blind: true })
    expect(journal).toEqual([])
  })

  it('gets its finalizer before the first side effect, beside those of others', async () => {
    objects.apply('a', { finalizers: ['foreign'] })
    let before: unknown
    await manage({
      provision: [
        async () => {
          before = finalizers()
          return done()
        },
      ],
    })()
    expect(before).toEqual(['foreign', 'ours'])
  })

  it('is not touched when the finalizer could not be written', async () => {
    objects.apply('a')
    const next = (method: string): Mishap | undefined => (method === 'addFinalizer' ? 'fails before' : undefined)
    await expect(manage({}, { objects: breaking(objects, next) })()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(journal).toEqual([])
  })

  it('shows in its status how the pass went, for which generation, and every step by its path', async () => {
    objects.apply('a')
    objects.apply('a', { spec: { other: true } })
    expect(await manage({ provision: [wait] })()).toMatchObject({ state: 'yield', path: 'root/step' })
    expect(objects.find('a')?.status).toMatchObject({
      observedGeneration: 2,
      steps: { 'root/step': { state: 'yield', message: 'waiting for pods' } },
    })
    expect(condition('Progressing')).toMatchObject({ status: 'True', message: 'waiting for pods (root/step)' })
  })

  it('is not written again when its status says the same', async () => {
    objects.apply('a')
    const pass = manage({ provision: [wait, wait] })
    await pass()
    const version = objects.log.version
    await clock.advance(10_000)
    await pass()
    expect(objects.log.version).toBe(version)
  })

  it('shows as stuck when it has waited for too long', async () => {
    objects.apply('a')
    const result = await manage({ provision: [wait] })({ waitedMs: 700_000 })
    expect(result).toMatchObject({ state: 'transient', fault: { reason: 'stuck' } })
    expect(condition('Degraded')).toMatchObject({ status: 'True', reason: 'stuck' })
    expect(objects.find('a')?.status.steps).toMatchObject({ 'root/step': { state: 'yield' } })
  })

  it('whose tree cannot be made shows that as its fault', async () => {
    objects.apply('a')
    const tree = () => {
      throw new Fault('provider_not_found', 'There is no provider "moon"')
    }
    expect(await manage({}, { tree })()).toMatchObject({ state: 'permanent' })
    expect(condition('Degraded')).toMatchObject({ status: 'True', reason: 'provider_not_found' })
  })

  it('that moved meanwhile is a conflict, so that it is read again at once', async () => {
    objects.apply('a')
    const moves = async (): Promise<Result> => {
      objects.apply('a', { spec: { moved: true } })
      return done()
    }
    await expect(manage({ provision: [moves] })()).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('cannot be written by a process that has lost the shard', async () => {
    objects.apply('a')
    objects.fence = 2n
    await expect(manage()({ fence: 1n })).rejects.toMatchObject({ reason: 'stale_fence' })
    expect(journal).toEqual([])
  })
})

describe('a paused object', () => {
  const paused: ManageOptions['paused'] = ({ metadata }) => metadata.annotations.paused === 'true'

  it('is left as it is, and says so', async () => {
    objects.apply('a', { annotations: { paused: 'true' } })
    expect(await manage({}, { paused })()).toEqual(done())
    expect(journal).toEqual([])
    expect(condition('Progressing')).toMatchObject({ status: 'False', reason: 'paused' })
    expect(finalizers()).toEqual([])
  })

  it('can be deleted all the same', async () => {
    objects.apply('a')
    const pass = manage({}, { paused })
    await pass()
    objects.apply('a', { annotations: { paused: 'true' } })
    objects.delete('a')
    await pass()
    expect(journal).toEqual(['+step', '-step'])
    expect(objects.find('a')).toBeUndefined()
  })
})

describe('deleting an object', () => {
  it('takes everything down first, and only then lets it go', async () => {
    objects.apply('a')
    const pass = manage({ deprovision: [wait, new Fault('engine_unreachable', 'cut off')] })
    await pass()
    objects.delete('a')
    expect(await pass()).toMatchObject({ state: 'yield' })
    expect(finalizers()).toEqual(['ours'])
    expect(condition('Ready')).toMatchObject({ status: 'False', reason: 'deleting' })
    expect(await pass()).toMatchObject({ state: 'transient' })
    expect(finalizers()).toEqual(['ours'])
    expect(await pass()).toMatchObject({ state: 'done' })
    expect(objects.find('a')).toBeUndefined()
  })

  it('leaves finalizers of others alone, and does not take down again because of them', async () => {
    objects.apply('a', { finalizers: ['foreign'] })
    const pass = manage()
    await pass()
    objects.delete('a')
    await pass()
    await pass()
    expect(journal).toEqual(['+step', '-step'])
    expect(finalizers()).toEqual(['foreign'])
    objects.setFinalizers('a', [])
    expect(objects.find('a')).toBeUndefined()
  })

  it('that never was ours needs nothing', async () => {
    objects.apply('a', { finalizers: ['foreign'] })
    objects.delete('a')
    expect(await manage()()).toEqual(done())
    expect(journal).toEqual([])
  })
})

describe('a run that is ended', () => {
  const hanging = async (pass: { signal: AbortSignal }): Promise<Result> => {
    await sleep(clock, 3_600_000, pass)
    return done()
  }

  it('writes its last word with a signal of its own, and passes the reason on', async () => {
    objects.apply('a')
    const control = new AbortController()
    const reason = new Fault('aborted', 'shutting down')
    const running = manage({ provision: [hanging] })({ signal: control.signal })
    await clock.advance(1)
    control.abort(reason)
    await expect(running).rejects.toBe(reason)
    expect(condition('Progressing')).toMatchObject({ status: 'False', reason: 'cancelled' })
    expect(clock.pending).toBe(0)
  })

  it('by its own deadline shows that as its fault', async () => {
    objects.apply('a')
    const control = new AbortController()
    const running = manage({ provision: [hanging] })({ signal: control.signal })
    await clock.advance(1)
    control.abort(new Fault('deadline_exceeded', 'The run took longer than 60000 ms'))
    await expect(running).rejects.toMatchObject({ reason: 'deadline_exceeded' })
    expect(condition('Degraded')).toMatchObject({ status: 'True', reason: 'deadline_exceeded' })
  })

  it('does not wait for a store that hangs, and tells that the last word is missing', async () => {
    objects.apply('a')
    const control = new AbortController()
    const reason = new Fault('aborted', 'shutting down')
    const next = (method: string): Mishap | undefined => (method === 'writeStatus' ? 'hangs' : undefined)
    const pass = manage({ provision: [hanging] }, { objects: breaking(objects, next), lastWordMs: 100 })
    const running = pass({ signal: control.signal })
    await clock.advance(1)
    control.abort(reason)
    const ended = expect(running).rejects.toBe(reason)
    await clock.advance(100)
    await ended
    expect(troubles).toMatchObject([{ reason: 'deadline_exceeded' }])
  })
})
