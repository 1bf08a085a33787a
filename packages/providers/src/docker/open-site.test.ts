import { type Call, Fault, orAbort } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { expect, it } from 'vitest'
import { label } from '../labels.ts'
import { leaveAtOnce } from '../leaving.ts'
import type { DockerApi } from './api/api.ts'
import type { Container } from './api/types/containers.ts'
import { dockerEngine } from './index.ts'

const call = { signal: new AbortController().signal }

it('lets go of a daemon that it could not look at to the end, with all that it had begun', async () => {
  const clock = new VirtualClock()
  const asked: string[] = []
  const say = <Answer>(what: string, answer: () => Promise<Answer>) => {
    asked.push(what)
    return answer()
  }
  const odd = new Fault('engine_refused', 'no networks today')
  const system = {
    info: () => say('info', async () => ({ Driver: 'overlay2' })),
    ping: () => say('ping', async () => undefined),
    events: (_: unknown, within: Call) => say('events', () => never(within)),
  }
  const containers = {
    list: () => say('list', async () => [{ Id: 'c', Labels: container.Config.Labels }]),
    inspect: () => say('inspect', async () => container),
  }
  const networks = { list: () => say('networks', () => Promise.reject(odd)) }
  const execs = { create: (_: unknown, __: unknown, within: Call) => say('exec', () => never(within)) }
  const api = { system, containers, networks, execs, capabilities: {} } as unknown as DockerApi
  const options = { installation: 'i', clock, leaving: leaveAtOnce, endpoint: { socket: 'none' }, api }
  await expect(dockerEngine(options, call)).rejects.toBe(odd)
  const before = asked.length
  await clock.advance(60_000)
  expect(asked.slice(before)).toEqual([])
})

const never = (within: Call): Promise<never> => orAbort(new Promise<never>(() => undefined), within)
const healthCheck = { command: ['true'], intervalSeconds: 1, timeoutSeconds: 1, startSeconds: 1 }
const service = { name: 'web', role: 'main', dependsOn: [], ports: [], healthCheck }

const container = {
  Id: 'c',
  Name: '/c',
  Image: 'i',
  Created: '2026-11-16T10:00:00Z',
  RestartCount: 0,
  State: { Status: 'running', StartedAt: '2026-11-16T10:00:00Z', FinishedAt: '0001-01-01T00:00:00Z', Error: '' },
  Config: {
    Labels: {
      [label.installation]: 'i',
      [label.tenant]: 't',
      [label.workload]: 'w',
      [label.uid]: 'u',
      [label.slot]: 'a',
      [label.service]: 'web',
      'gantry.dev/engine-id': 'w.0',
      'gantry.dev/record': JSON.stringify({ group: false, files: false, volumes: [], services: [service] }),
    },
  },
  HostConfig: {},
  NetworkSettings: { Networks: {} },
  Mounts: [],
} as unknown as Container
