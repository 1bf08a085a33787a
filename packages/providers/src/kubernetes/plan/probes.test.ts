import { describe, expect, it } from 'vitest'
import { type ProbedService, probesOf } from './probes.ts'
import { desiredOf, type ServiceInput, web } from './testing/desired.ts'

function checked(healthCheck: ServiceInput['healthCheck']): ProbedService {
  const [service] = desiredOf({ services: [{ ...web, ports: [{ name: 'http', port: 8080 }], healthCheck }] }).services
  if (!service) throw new Error('no service')
  return service
}

describe('a health check', () => {
  it.each([
    [{ http: { port: 'http', path: '/ok' } }, { httpGet: { port: 8080, path: '/ok', scheme: 'HTTP' } }],
    [{ tcp: { port: 'http' } }, { tcpSocket: { port: 8080 } }],
    [{ grpc: { port: 'http', service: 'a.B' } }, { grpc: { port: 8080, service: 'a.B' } }],
    [{ command: ['test', '$(X)'] }, { exec: { command: ['test', '$(X)'] } }],
  ])('%j is asked as %j', (check, action) => {
    expect(probesOf(checked(check), 'beside').readinessProbe).toMatchObject(action)
  })

  it('says when a service is up and ready, and ends nothing', () => {
    const { startupProbe, readinessProbe, livenessProbe } = probesOf(
      checked({
        tcp: { port: 'http' },
        intervalSeconds: 5,
        timeoutSeconds: 3,
        successThreshold: 2,
        failureThreshold: 4,
      }),
      'beside',
    )
    const common = { tcpSocket: { port: 8080 }, timeoutSeconds: 3 }
    expect(readinessProbe).toEqual({ ...common, periodSeconds: 5, successThreshold: 2, failureThreshold: 4 })
    expect(startupProbe).toEqual({ ...common, periodSeconds: 1, successThreshold: 1, failureThreshold: 2_147_483_647 })
    expect(livenessProbe).toBeUndefined()
  })

  it('ends one that does not come up, or fails later, where that is asked for', () => {
    const check = checked({ tcp: { port: 'http' }, startSeconds: 7, successThreshold: 3, onUnhealthy: 'restart' })
    const { startupProbe, livenessProbe } = probesOf(check, 'gate')
    expect([startupProbe?.failureThreshold, startupProbe?.periodSeconds]).toEqual([7, 1])
    expect(livenessProbe).toMatchObject({ successThreshold: 1, failureThreshold: 3 })
    expect(livenessProbe?.initialDelaySeconds).toBeUndefined()
    const none = checked({ tcp: { port: 'http' }, startSeconds: 0, onUnhealthy: 'restart' })
    expect(probesOf(none, 'beside').startupProbe?.failureThreshold).toBe(1)
  })

  it('holds up nobody who waits for the start alone', () => {
    const check = checked({ tcp: { port: 'http' }, startSeconds: 7, onUnhealthy: 'restart' })
    const { startupProbe, readinessProbe, livenessProbe } = probesOf(check, 'row')
    expect(startupProbe).toBeUndefined()
    expect(readinessProbe).toBeDefined()
    expect(livenessProbe?.initialDelaySeconds).toBe(7)
  })

  it('is none where there is none', () => {
    expect(probesOf({ ports: [] }, 'gate')).toEqual({})
  })
})
