import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isAlive } from './process-identity.ts'
import { sponsorEnv } from './sponsor.ts'
import { eventually, RigBench } from './testing/rig-bench.ts'

describe('the rig', () => {
  let rig: RigBench
  beforeAll(() => {
    rig = new RigBench()
  })
  afterAll(() => rig.remove())

  const nothingRuns = (): boolean => rig.keeper() === undefined && rig.running().length === 0

  it('starts one engine for all who come first at the same time, and ends it after the last of them', async () => {
    const users = await Promise.all([1, 2, 3, 4].map(() => rig.use('shared')))
    expect(users.map(({ said }) => said.state)).toEqual(['ready', 'ready', 'ready', 'ready'])
    expect(new Set(users.map(({ said }) => said.address)).size).toBe(1)
    const engine = rig.running()
    expect(engine).toHaveLength(1)
    for (const user of users.slice(1)) await user.leave()
    expect(engine.every(isAlive)).toBe(true)
    await users[0]?.leave()
    await eventually('the engine ends after its last user', nothingRuns)
    expect(engine.some(isAlive)).toBe(false)
  })

  it('ends the engine of a user that was killed, and removes its data', async () => {
    const user = await rig.use('shared')
    const engine = rig.running()
    await user.kill()
    await eventually('the engine ends after the kill', nothingRuns)
    expect(engine.some(isAlive)).toBe(false)
    expect(rig.files('shared')).toEqual(['keeper.log'])
  })

  it('ends what a killed keeper left behind before it starts the engine anew', async () => {
    const first = await rig.use('shared')
    const [keeper, survivors] = [rig.keeper(), rig.running()]
    process.kill(keeper?.pid ?? 0, 'SIGKILL')
    await eventually('the keeper is gone', () => rig.keeper() === undefined)
    expect(survivors.map(isAlive)).toEqual([true])
    const second = await rig.use('shared')
    expect(second.said.state).toBe('ready')
    expect(second.said.address).not.toBe(first.said.address)
    expect(survivors.map(isAlive)).toEqual([false])
    expect(rig.running()).toHaveLength(1)
    await Promise.all([first.kill(), second.kill()])
    await eventually('the new engine ends too', nothingRuns)
  })

  it('ends a private engine with the process that asked for it, also when that is killed', async () => {
    const [one, other] = [await rig.use('private'), await rig.use('private')]
    expect(one.said.address).not.toBe(other.said.address)
    expect(rig.running()).toHaveLength(2)
    await one.kill()
    await eventually('only the other one runs', () => rig.running().length === 1)
    await other.kill()
    await eventually('nothing of them is left', () => rig.instances().every((name) => !name.startsWith('private-')))
  })

  it('keeps an engine between two users for as long as their sponsor lives', async () => {
    const sponsor = await rig.use('private')
    const env = sponsorEnv(sponsor.identity)
    const first = await rig.use('shared', env)
    await first.leave()
    // To start another engine takes longer than the rig waits for a next user: without the sponsor this one were gone.
    const other = await rig.use('private')
    const second = await rig.use('shared', env)
    expect(second.said.address).toBe(first.said.address)
    await Promise.all([second.leave(), other.kill(), sponsor.kill()])
    await eventually('the engine ends with its sponsor', nothingRuns)
  })

  it('says why an engine is missing, and throws it where engines are required', async () => {
    const broken = new RigBench()
    try {
      await broken.command('doctor')
      for (const path of [join(broken.state, 'programs'), broken.env.XDG_CACHE_HOME ?? '']) writeFileSync(path, '')
      const lenient = await broken.use('shared')
      expect(lenient.said).toMatchObject({ state: 'missing', why: expect.stringContaining('its start failed') })
      const strict = await broken.use('shared', { GANTRY_ENGINES: 'required' })
      expect(strict.said).toMatchObject({ state: 'threw', why: expect.stringContaining('postgres is missing') })
      expect((await broken.command('doctor')).output).toContain('missing: its last start failed')
    } finally {
      await broken.remove()
    }
  })

  it('is itself a reason for a missing engine, where it cannot work', async () => {
    const far = { GANTRY_ENGINES_DIR: join(rig.state, 'far'.repeat(40)) }
    const { said } = await rig.use('shared', far)
    expect(said).toMatchObject({ state: 'missing', why: expect.stringContaining('too long for a socket') })
  })

  it('has left the home of the user untouched', () => {
    expect(readdirSync(rig.home)).toEqual([])
  })
})
