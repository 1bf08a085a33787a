import { Fault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import type { DockerApi } from '../api/api.ts'
import { Handling } from './handling.ts'
import { Renewals } from './renewals.ts'
import type { ContainerSeen } from './seen.ts'

const call = { signal: new AbortController().signal }
const taken = new Fault('engine_refused', 'Docker refused: id already in use')

function rig(
  refuses: (id: string) => Fault | undefined,
  keeps: (times: number) => Fault | undefined = () => undefined,
) {
  const done: string[] = []
  const daemon = { connection: 1 }
  let removals = 0
  const containers = {
    async start(id: string) {
      const fault = refuses(id)
      if (fault) throw fault
      done.push(`start ${id}`)
    },
    async remove(id: string) {
      removals += 1
      const fault = keeps(removals)
      if (fault) throw fault
      done.push(`remove ${id}`)
    },
  }
  const networks = {
    async disconnect(network: string, name: string) {
      done.push(`free ${name} in ${network}`)
    },
  }
  const renewals = new Renewals({
    api: { containers, networks } as unknown as DockerApi,
    network: 'n',
    handling: new Handling(async (id) => void done.push(`look at ${id}`)),
    connection: () => daemon.connection,
    endOrphans: async (id) => void done.push(`end what runs of ${id}`),
  })
  return { renewals, done, daemon }
}

const created = (id: string) => ({ id, name: 'web', status: 'created' }) as ContainerSeen

describe('a start', () => {
  it('that the daemon can make is made', async () => {
    const { renewals, done } = rig(() => undefined)
    expect(await renewals.start(created('a'), call)).toBe(true)
    expect([done, renewals.count]).toEqual([['start a', 'look at a'], 0])
  })

  it('that the daemon can never make ends what still runs, takes the container away and says so', async () => {
    const { renewals, done } = rig(() => taken)
    expect(await renewals.start(created('a'), call)).toBe(false)
    const ended = 'end what runs of a'
    expect(done).toEqual(['look at a', ended, 'remove a', 'look at a', ended, 'free web in n'])
    expect(renewals.count).toBe(1)
  })

  it('is refused when others in its place are refused as well, until the daemon was out of reach again', async () => {
    const { renewals, done, daemon } = rig(() => taken)
    expect(await renewals.start(created('a'), call)).toBe(false)
    expect(await renewals.start(created('b'), call)).toBe(false)
    await expect(renewals.start(created('c'), call)).rejects.toBe(taken)
    await expect(renewals.start(created('c'), call)).rejects.toBe(taken)
    expect(done.filter((each) => each.startsWith('remove'))).toEqual(['remove a', 'remove b'])
    daemon.connection += 1
    expect(await renewals.start(created('c'), call)).toBe(false)
  })

  it('is waited with for a container that does not go yet, however often, and none is made in its place', async () => {
    const busy = new Fault('engine_busy', 'Docker refused: did not receive an exit event')
    const { renewals } = rig(
      () => taken,
      (times) => (times <= 3 ? busy : undefined),
    )
    for (let time = 1; time <= 3; time += 1) await expect(renewals.start(created('a'), call)).rejects.toBe(busy)
    expect(renewals.count).toBe(0)
    expect([await renewals.start(created('a'), call), renewals.count]).toEqual([false, 1])
  })

  it('that is refused for another reason is told, and the container stays', async () => {
    const port = new Fault('port_in_use', 'Docker refused: port is already allocated')
    const { renewals, done } = rig(() => port)
    await expect(renewals.start(created('a'), call)).rejects.toBe(port)
    expect(done).toEqual(['look at a'])
  })
})
