import { describe, expect, it } from 'vitest'
import type { Desired } from '../../desired.ts'
import type { DockerApi } from '../api/api.ts'
import { Handling } from './handling.ts'
import { Mending } from './mending.ts'
import { Renewals } from './renewals.ts'
import type { ReplicaState } from './replica-state.ts'
import type { ContainerSeen } from './seen.ts'

const call = { signal: new AbortController().signal }
const desired = { services: [], stopGraceSeconds: 1 } as unknown as Desired

type Seen = { readonly status: string; readonly restarts: number; readonly run?: string }

/** What is removed of a holder and a service that are like this, and like `then` when the service is looked at again. */
async function removedOf(seen: Seen, runs: string, then: Seen = seen): Promise<string[]> {
  const removed: string[] = []
  const container = (id: string, like = seen) => ({ id, name: id, labels: {}, run: '1', ...like }) as ContainerSeen
  const [holder, web] = [container('holder'), container('web')]
  const record = { ref: { tenant: 't', workload: 'w', uid: 'u', slot: 'a' }, index: 0 }
  const state = { containers: [holder, web], holder, owner: undefined, services: new Map(), record }
  const containers = { rename: async () => undefined, remove: async (id: string) => void removed.push(id) }
  const networks = { disconnect: async () => undefined }
  const api = { containers, networks } as unknown as DockerApi
  const handling = new Handling(async (id) => {
    if (id === 'web') state.containers = [holder, container('web', then)]
  })
  const renewals = new Renewals({
    api,
    handling,
    network: 'n',
    connection: () => 1,
    endOrphans: async () => undefined,
  })
  const parts = { api, handling, renewals, enforces: new Set<never>(), stillRuns: (id: string) => id === runs }
  await new Mending({ ...parts, state: state as unknown as ReplicaState }).mend(desired, call)
  return removed
}

describe('a container that the daemon starts again and again', () => {
  it('is taken away where something of it runs all the while, and a holder in any case', async () => {
    expect(await removedOf({ status: 'restarting', restarts: 2 }, 'web')).toEqual(['holder', 'web'])
  })

  it('crashes where nothing of it runs, and stays', async () => {
    expect(await removedOf({ status: 'restarting', restarts: 9 }, 'nothing')).toEqual(['holder'])
  })

  it('crashes where what runs of it was only just started, and stays', async () => {
    const seen = { status: 'restarting', restarts: 9, run: '9' }
    for (const then of [
      { status: 'running', restarts: 9, run: '10' },
      { status: 'restarting', restarts: 10, run: '10' },
      { status: 'restarting', restarts: 10, run: '9' },
    ]) {
      expect(await removedOf(seen, 'web', then)).toEqual(['holder'])
    }
  })

  it('is left to the daemon the first time, and while it runs', async () => {
    expect(await removedOf({ status: 'restarting', restarts: 1 }, 'web')).toEqual([])
    expect(await removedOf({ status: 'running', restarts: 9 }, 'web')).toEqual([])
  })
})
