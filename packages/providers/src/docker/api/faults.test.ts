import { describe, expect, it } from 'vitest'
import { faultOf } from './faults.ts'

const refusal = (status: number, message: string) => ({
  method: 'POST',
  path: '/containers/create',
  status,
  body: JSON.stringify({ message }),
})

describe('what an answer of an engine means', () => {
  it.each([
    [404, 'No such container: x', 'engine_object_not_found'],
    [409, 'Conflict. The container name "/x" is already in use by container "y".', 'engine_object_exists'],
    [409, 'network with name x already exists', 'engine_object_exists'],
    [409, 'Container x is not running', 'service_not_running'],
    [409, 'conflict: unable to delete x (must be forced)', 'engine_object_conflict'],
    [403, 'error while removing network: network x id y has active endpoints', 'engine_object_conflict'],
    [403, 'Pool overlaps with other one on this address space', 'engine_object_exists'],
    [400, 'invalid reference format', 'engine_rejected'],
    [500, 'driver failed: Bind for 127.0.0.1:80 failed: port is already allocated', 'port_in_use'],
    [500, 'mkdir /x: no space left on device', 'engine_full'],
    [500, 'something else', 'engine_refused'],
    [501, 'configured logging driver does not support reading', 'capability_missing'],
    [503, 'not ready', 'engine_refused'],
  ])('%i with %j is %s', (status, message, reason) => {
    expect(faultOf(refusal(status, message))).toMatchObject({ reason, message: `Docker refused: ${message}` })
  })

  it('is told in the words that came, also where they are no JSON', () => {
    expect(faultOf({ ...refusal(502, ''), body: '<h1>Bad gateway</h1>\n' }).message).toContain('<h1>Bad gateway</h1>')
    expect(faultOf({ ...refusal(502, ''), body: '' }).message).toContain('status 502')
  })
})
