import { describe, expect, it } from 'vitest'
import { checkServices } from '../../../testing/check-workload.ts'

const ports = [
  { name: 'http', port: 80 },
  { name: 'dns', port: 53, protocol: 'udp' },
]
const at = 'services[0].healthCheck'

describe('a health check', () => {
  it.each<[string, object, [string, RegExp][]]>([
    ['by http', { http: { port: 'http' } }, []],
    ['by tcp', { tcp: { port: 'http' } }, []],
    ['by grpc', { grpc: { port: 'http' } }, []],
    ['by command', { command: ['true'] }, []],
    ['by nothing', {}, [[at, /exactly one of http, tcp, grpc, command, and has none/]]],
    ['by two', { tcp: { port: 'http' }, command: ['true'] }, [[at, /has tcp and command/]]],
    ['of a misspelt port', { http: { port: 'htp' } }, [[`${at}.http.port`, /did you mean "http"/]]],
    ['of a port that is not there', { tcp: { port: 'metrics' } }, [[`${at}.tcp.port`, /there are http, dns/]]],
    ['of a udp port', { tcp: { port: 'dns' } }, [[`${at}.tcp.port`, /udp/]]],
    ['by an empty command', { command: [] }, [[`${at}.command`, /at least 1 entry/]]],
  ])('%s', (_, healthCheck, issues) => {
    expect(checkServices({ name: 'web', ports, healthCheck })).toEqual(
      issues.map(([path, message]) => [path, expect.stringMatching(message)]),
    )
  })

  it('is not for init services', () => {
    const init = { name: 'setup', role: 'init', healthCheck: { command: ['true'] } }
    expect(checkServices({ name: 'web' }, init)).toEqual([['services[1].healthCheck', expect.stringMatching(/exit/)]])
  })
})
