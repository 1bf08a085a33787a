import { describe, expect, it } from 'vitest'
import type { DesiredService } from '../../desired.ts'
import { portIssues } from './ports.ts'

const port = (hostPort: number, bind: string) =>
  ({ ports: [{ name: 'http', port: 8080, protocol: 'http', hostPort, bind }] }) satisfies Pick<DesiredService, 'ports'>

describe('a port of the node', () => {
  it.each(['127.0.0.1', '127.0.0.2', '::1'])('on %s is refused, since nobody could dial it', (bind) => {
    expect(portIssues(port(8080, bind), 'spec.services[0]')).toMatchObject([
      { path: 'spec.services[0].ports[0].hostPort', message: expect.stringContaining('0.0.0.0') },
    ])
  })

  it.each([
    [8080, '0.0.0.0'],
    [8080, '192.168.0.1'],
    [0, '127.0.0.1'],
  ])('%s on %s is taken', (hostPort, bind) => {
    expect(portIssues(port(hostPort, bind), 'spec.services[0]')).toEqual([])
  })
})
