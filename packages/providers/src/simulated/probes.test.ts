import { workloadKind } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { desiredFor } from '../contract/desired-for.ts'
import type { TestProgram } from '../contract/program.ts'
import { checkDesired, unenforced } from './check.ts'
import { probeTimes } from './probes.ts'
import { commandArgv } from './programs.ts'

const ref = { tenant: 't', workload: 'w', uid: 'u', slot: 'a' } as const

function desired(service: Record<string, unknown>, more: Record<string, unknown> = {}) {
  const ports = [{ name: 'http', port: 8080 }]
  return desiredFor(
    'here',
    ref,
    workloadKind.parse({
      apiVersion: 'gantry/v1',
      kind: 'Workload',
      metadata: { name: 'web' },
      spec: { services: [{ name: 'web', image: 'app:1', ports, ...service }], ...more },
    }).spec,
  )
}

const times = (healthCheck: unknown, program: TestProgram) => {
  const [service] = desired(healthCheck === undefined ? {} : { healthCheck }).services
  return service && probeTimes(service, program)
}

const http = { http: { port: 'http' } }

describe('probes of a simulated program', () => {
  it.each([
    ['ready at once without a check', undefined, {}, 0],
    ['ready at the first look', http, { listens: 'http' }, 0],
    ['ready at the look after it is well', http, { listens: 'http', healthyAfterMs: 600 }, 750],
    ['ready after as many looks as asked for', { ...http, successThreshold: 3 }, { listens: 'http' }, 500],
    ['never ready on a port nobody listens on', http, {}, undefined],
    ['ready by a command', { command: commandArgv({ do: 'healthy' }) }, { healthyAfterMs: 250 }, 250],
    ['never ready by a command that fails', { command: ['false'] }, {}, undefined],
  ] as const)('is %s', (_what, check, program, healthyMs) => {
    expect(times(check, program)?.healthyMs).toBe(healthyMs)
  })

  it('is given up after its time to start, and unhealthy after as many failures as asked for', () => {
    expect(times({ ...http, startSeconds: 7 }, {})?.givenUpMs).toBe(7000)
    const check = { ...http, intervalSeconds: 2, failureThreshold: 3 }
    expect(times(check, { listens: 'http', healthyUntilMs: 1000 })?.unhealthyMs).toBe(7000)
  })
})

describe('what the simulated engine refuses', () => {
  it('is told by path, unless it is asked for as best effort', () => {
    expect(checkDesired(desired({ resources: { pids: 5 } })).map(({ path }) => path)).toEqual([
      'spec.services[0].resources.pids',
    ])
    const lenient = desired({ resources: { pids: 5, bestEffort: true } })
    expect([checkDesired(lenient), unenforced(lenient)]).toEqual([[], ['spec.services[0].resources.pids']])
    expect(checkDesired(desired({}, { expose: 'load_balancer' })).map(({ path }) => path)).toEqual(['spec.expose'])
  })

  it('is a port of the machine that several replicas would need', () => {
    const one = desired({ ports: [{ name: 'http', port: 8080, hostPort: 9000 }] })
    expect(checkDesired(one)).toEqual([])
    expect(checkDesired({ ...one, replicas: 2 }).map(({ path }) => path)).toEqual([
      'spec.services[0].ports[0].hostPort',
    ])
  })
})
