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
    [409, 'Container x is restarting, wait until the container is running', 'service_not_running'],
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

  const noExit = 'tried to kill container, but did not receive an exit event'
  it.each([
    ['DELETE /containers/x', 500, `Could not kill running container x, cannot remove - ${noExit}`],
    ['DELETE /containers/x', 500, `cannot remove container "/x": could not kill container: ${noExit}`],
    ['DELETE /containers/x', 500, 'Could not kill running container x, cannot remove - Container x is not running'],
    ['DELETE /containers/x', 409, 'removal of container x is already in progress'],
    ['DELETE /containers/x', 500, 'unable to remove filesystem for x: unlinkat /c/x/shm: device or resource busy'],
    ['DELETE /containers/x', 500, 'context deadline exceeded'],
    ['POST /containers/x/stop', 500, `cannot stop container: x: ${noExit}`],
    ['POST /containers/x/restart', 500, `Cannot restart container x: ${noExit}`],
    ['POST /containers/x/kill', 500, `Cannot kill container: x: ${noExit}`],
    ['POST /containers/x/start', 409, 'container is marked for removal and cannot be started'],
  ])('%s with %i and %j passes', (asked, status, message) => {
    const [method = '', path = ''] = asked.split(' ')
    const fault = faultOf({ ...refusal(status, message), method, path })
    expect(fault).toMatchObject({ reason: 'engine_busy', kind: 'unavailable', message: `Docker refused: ${message}` })
  })

  it.each([
    ['GET /containers/x/logs', 409, 'can not get logs from container which is marked for removal'],
    ['DELETE /networks/x', 409, 'removal of network x is already in progress'],
    ['DELETE /volumes/x', 409, 'remove x: volume is in use'],
  ])('%s with %i and %j does not', (asked, status, message) => {
    const [method = '', path = ''] = asked.split(' ')
    expect(faultOf({ ...refusal(status, message), method, path }).reason).toBe('engine_object_conflict')
  })

  it('is told in the words that came, also where they are no JSON', () => {
    expect(faultOf({ ...refusal(502, ''), body: '<h1>Bad gateway</h1>\n' }).message).toContain('<h1>Bad gateway</h1>')
    expect(faultOf({ ...refusal(502, ''), body: '' }).message).toContain('status 502')
  })
})
