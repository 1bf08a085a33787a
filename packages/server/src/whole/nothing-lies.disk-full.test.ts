/** A full disk is named, nothing that runs is touched by it, and it is forgotten when there is room again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askEdge } from './testing/ask-edge.ts'
import { processesOf } from './testing/leftovers.ts'
import { oneService } from './testing/moody-program.ts'
import { expectSince, untilSaid } from './testing/said.ts'
import { settled } from './testing/settled.ts'
import { type SmallDisk, smallDisk } from './testing/small-disk.ts'
import { type System, startSystem } from './testing/system.ts'
import { until } from './testing/until.ts'

let system: System | undefined
/** Why there is no system: on a disk of its own it takes the right to mount one. */
let missing = ''
/** Of the database, records and journals; of what processes reach. */
const disks: { data?: SmallDisk; run?: SmallDisk } = {}

beforeAll(async () => {
  const prepare = async (dataDir: string): Promise<void> => {
    try {
      disks.data = await smallDisk(dataDir, 64, '700')
      disks.run = await smallDisk(`${dataDir}-run`, 1, '755')
    } catch (error) {
      missing = `no small disk can be mounted here: ${error}`
    }
  }
  const tidy = async (): Promise<void> => {
    for (const disk of Object.values(disks)) await disk.unmount()
  }
  system = await startSystem({ prepare, tidy })
  if (missing === '') await system.start()
})
afterAll(async () => {
  expect(await system?.dispose()).toEqual([])
})

function here(skip: (why: string) => never) {
  if (missing !== '' || !system || !disks.data || !disks.run) return skip(missing)
  const { client, edgePort, dataDir } = system
  return { client, edgePort, dataDir, data: disks.data, run: disks.run, ...client.tenant('default') }
}

/** Pids of services, which are given as text to Node; the server, its supervisor and its edge are files. */
async function programs(dataDir: string): Promise<number[]> {
  const lines = await processesOf(dataDir)
  return lines.filter((line) => line.includes(' -e ')).map((line) => Number(line.split(' ', 1)[0]))
}

const configured = (name: string, says: string) =>
  oneService(name, {
    env: { SAYS: says },
    configFiles: [{ name: 'app', path: '/app.txt', format: 'text', content: says.repeat(9000) }],
  })

describe('a disk that is full', () => {
  it('below the processes is named with what cannot be written; the release before goes on', async ({ skip }) => {
    const { client, edgePort, run, workloads } = here(skip)
    await workloads.put(configured('web', 'v1'))
    await settled(client, 'web')
    await run.fill()
    const begun = Date.now()
    await workloads.put(configured('web', 'v2'))
    const seen = await untilSaid(client, 'web', 'Degraded', /^True \w+ v2 failed \(.*\), running v1$/)
    expect(seen.Degraded).toMatch(/replica \d: the disk is full: \S+ cannot be written; make room/)
    expectSince(seen, 'Degraded', begun)
    await untilSaid(client, 'web', 'Ready', /^True /)
    expect(await askEdge(edgePort, 'web')).toBe('v1')
  })

  it('keeps a first release waiting, which starts by itself when there is room', async ({ skip }) => {
    const { client, run, workloads } = here(skip)
    await run.fill()
    const begun = Date.now()
    await workloads.put(configured('late', 'v1'))
    const seen = await untilSaid(client, 'late', 'Ready', /the disk is full/)
    expect(seen.Ready).toMatch(
      /^False not_ready 0 of 1 replica is ready; replica 0: the disk is full: \S+ cannot be written; make/,
    )
    expectSince(seen, 'Ready', begun)
    await run.free()
    await settled(client, 'late')
    const well = await untilSaid(client, 'late', 'Degraded', /^False converged $/)
    expect(well.Ready).toBe('True converged 1 of 1 replica is ready')
  })

  it('below the database refuses what cannot be kept, says so, and what runs goes on', async ({ skip }) => {
    const { client, edgePort, data, dataDir, workloads } = here(skip)
    await data.fill()
    const refused = await until(
      'a write to be refused',
      () => workloads.patch('web', { metadata: { labels: { filler: 'x'.repeat(60) } } }).then(String, (error) => error),
      (error) => error instanceof Error,
    )
    expect(refused).toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/disk .*is full.*free some space/i),
    })
    expect(await askEdge(edgePort, 'web')).toBe('v1')
    expect((await workloads.get('web')).status.release).toBe(1)

    // What happens now is seen, and cannot be written down: what was known before must not look as if it were of now.
    const begun = Date.now()
    for (const pid of await programs(dataDir)) process.kill(pid, 'SIGKILL')
    const seen = await untilSaid(client, 'web', 'Ready', /^Unknown store_full /)
    expect(seen.Ready).toMatch(/What was seen since \S+ could not be kept: .*disk.*full.*free some space/i)
    expectSince(seen, 'Ready', begun)
    expect(seen.replicas.blind).toMatchObject({ a: { reason: 'store_full' } })
    await data.free()
    await untilSaid(client, 'web', 'Ready', /^True /)
    await until(
      'a write to be kept',
      () => workloads.patch('web', { metadata: { labels: { room: 'yes' } } }),
      ({ metadata }) => metadata.labels.room === 'yes',
    )
    await workloads.put(configured('web', 'v3'))
    await settled(client, 'web')
    await until(
      'v3 to answer',
      () => askEdge(edgePort, 'web'),
      (body) => body === 'v3',
    )
  })
})
