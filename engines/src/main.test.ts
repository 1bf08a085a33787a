import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isAlive } from './process-identity.ts'
import { RigBench } from './testing/rig-bench.ts'

describe('the command line of the rig', () => {
  let rig: RigBench
  beforeAll(() => {
    rig = new RigBench()
  })
  afterAll(() => rig.remove())

  it('examines without starting anything', async () => {
    const { code, output } = await rig.command('doctor')
    expect(code).toBe(0)
    expect(output).toContain('available: started when a test asks for it')
    expect(output).toContain(rig.state)
    expect(rig.keeper()).toBeUndefined()
  })

  it('holds an engine from `up` to `down`, without any user', async () => {
    const up = await rig.command('up', 'postgres')
    expect(up.output).toMatch(/^postgres:\/\/gantry:[\w-]{32}@127\.0\.0\.1:\d+\/postgres\n$/)
    expect((await rig.command('doctor')).output).toContain('0 users, held until `down`')
    const user = await rig.use('shared')
    expect(`${user.said.address}\n`).toBe(up.output)
    const engine = rig.running()
    expect(await rig.command('down')).toEqual({ code: 0, output: expect.stringMatching(/^postgres: stopped$/m) })
    expect(engine.some(isAlive)).toBe(false)
    const again = await rig.command('down')
    expect(again).toEqual({ code: 0, output: expect.stringMatching(/^postgres: was not running$/m) })
    await user.kill()
  })

  it('ends with `down` what a killed keeper left behind', async () => {
    await rig.command('up', 'postgres')
    const survivors = rig.running()
    process.kill(rig.keeper()?.pid ?? 0, 'SIGKILL')
    await rig.command('down')
    expect(survivors.map(isAlive)).toEqual([false])
  })

  it.each([[[]], [['up']], [['up', 'oracle']], [['sideways']]])('explains itself when called with %j', async (args) => {
    const { code, output } = await rig.command(...args)
    expect(code).toBe(2)
    expect(output).toMatch(/^usage: /)
  })
})
