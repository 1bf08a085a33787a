/** Several Docker Engines side by side, in a control plane that is a library here: one is lost, and the other is not. */
import { type DockerAddress, engine, startPrivate } from '@gantry/engines'
import { connectDocker } from '@gantry/providers/docker'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { type ControlPlane, createControlPlane } from '../control-plane.ts'
import { dockerFactory } from '../providers/docker-factory.ts'
import { type DockerRelay, relayDocker } from './testing/docker-relay.ts'
import { expectSince, said, untilSaid } from './testing/said.ts'
import { settled } from './testing/settled.ts'
import { until } from './testing/until.ts'

const call = { signal: AbortSignal.timeout(15 * 60_000) }

let plane: ControlPlane
let missing: string | undefined
let east: DockerAddress
let relays: readonly [DockerRelay, DockerRelay]
const ends: (() => unknown)[] = []

beforeAll(async () => {
  const shared = await engine('docker', call)
  if (shared.state === 'missing') {
    missing = shared.why
    return
  }
  east = shared.address
  const west = await startPrivate('docker', call)
  ends.push(shared.release, () => west.stop(call))
  relays = [await relayDocker(east.socket, 'unix'), await relayDocker(east.socket, 'unix')]
  plane = createControlPlane({ database: 'sqlite::memory:', providers: { docker: dockerFactory() }, edge: false })
  await plane.start()
  await putProvider('east', relays[0].endpoint, east.subnets)
  await putProvider('west', `unix://${west.address.socket}`, west.address.subnets)
  for (const provider of ['east', 'west']) {
    await plane.client.tenant('default').workloads.put(sleeping(provider))
    await settled(plane.client, `on-${provider}`)
  }
}, 600_000)

afterAll(async () => {
  if (missing !== undefined) return
  const { workloads } = plane.client.tenant('default')
  for (const provider of ['east', 'west']) await workloads.delete(`on-${provider}`)
  await until(
    'the workloads to be gone',
    () => workloads.list().toArray(),
    (all) => all.length === 0,
  )
  await plane.stop()
  for (const relay of relays) await relay.close()
  for (const end of ends.toReversed()) await end()
}, 600_000)

const putProvider = (name: string, endpoint: string, subnets: string) =>
  plane.client.providers.put({
    apiVersion: 'gantry/v1',
    kind: 'Provider',
    metadata: { name },
    spec: { type: 'docker', docker: { endpoint, subnets } },
  })

const sleeping = (provider: string) => ({
  apiVersion: 'gantry/v1' as const,
  kind: 'Workload' as const,
  metadata: { name: `on-${provider}` },
  spec: {
    provider,
    services: [
      {
        name: 'main',
        image: east.image,
        imagePullPolicy: 'never' as const,
        command: ['sh', '-c', 'trap "exit 0" TERM; while :; do sleep 0.1; done'],
      },
    ],
    strategy: { minReadySeconds: 0 },
  },
})

const here = ({ skip }: Pick<TestContext, 'skip'>) => (missing === undefined ? plane.client : skip(missing))
const ready = /^True converged 1 of 1 replica is ready$/

/** When each was started, by the word of the daemon itself. */
async function startedAt(): Promise<readonly string[]> {
  const docker = await connectDocker({ socket: east.socket }, call)
  try {
    const all = await docker.containers.list({ all: true, filters: { label: ['gantry.dev/workload=on-east'] } }, call)
    const seen = await Promise.all(all.map(({ Id }) => docker.containers.inspect(Id, call)))
    return seen.map((one) => `${one?.Id} ${one?.State.StartedAt}`).toSorted()
  } finally {
    docker.close()
  }
}

describe('two Docker Engines', () => {
  it('each run what names them', async (context) => {
    const client = here(context)
    const providers = await client.providers.list().toArray()
    expect(providers.map(({ status }) => status.facts?.['storage driver'])).toEqual(['overlay2', 'overlay2'])
    expect(await startedAt()).toHaveLength(1)
    for (const provider of ['east', 'west']) expect((await said(client, `on-${provider}`)).Ready).toMatch(ready)
  })

  it.for(['cut', 'hang'] as const)('are lost one by one (%s), and seen again by themselves', async (how, context) => {
    const client = here(context)
    const [relay] = relays
    const before = await startedAt()
    const begun = Date.now()
    relay[how]()
    try {
      const lost = await untilSaid(client, 'on-east', 'Ready', /^Unknown /)
      expect(lost.Ready).toMatch(/^Unknown \w+ Provider "east" cannot be looked at since \S+Z: /)
      expectSince(lost, 'Ready', begun)
      expect(lost.workload.status).toMatchObject({ replicas: 1, readyReplicas: 1 })
      expect(lost.replicas.blind.a).toMatchObject({ message: expect.any(String), since: expect.any(String) })
      await until(
        'the provider to say so',
        () => client.providers.get('east'),
        ({ status }) => status.conditions?.find(({ type }) => type === 'Ready')?.status === 'False',
      )
      expect((await said(client, 'on-west')).Ready).toMatch(ready)
    } finally {
      relay.heal()
    }
    const back = await untilSaid(client, 'on-east', 'Ready', ready)
    expect(back.replicas.blind).toEqual({})
    expect(await startedAt()).toEqual(before)
  })

  it('may move: another address is another connection, to what runs there', async (context) => {
    const client = here(context)
    const before = await startedAt()
    await putProvider('east', relays[1].endpoint, east.subnets)
    // Whoever still came by the old way would be found out.
    relays[0].cut()
    await until(
      'the new address to be used',
      () => client.providers.get('east'),
      ({ metadata, status }) =>
        status.observedGeneration === metadata.generation &&
        status.conditions?.find(({ type }) => type === 'Ready')?.status === 'True',
    )
    await untilSaid(client, 'on-east', 'Ready', ready)
    expect(await startedAt()).toEqual(before)
  })

  it('cannot be one under two names: the second says which is the first', async (context) => {
    const client = here(context)
    await putProvider('again', `unix://${east.socket}`, east.subnets)
    const again = await until(
      'it to be said',
      () => client.providers.get('again'),
      ({ status }) => status.conditions !== undefined,
    )
    expect(again.status.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
      status: 'False',
      reason: 'engine_taken',
      message: expect.stringContaining('the engine of the Provider "east"'),
    })
    await client.providers.delete('again')
  })
})
