/** Pure: ports of nodes that nobody could dial. */
import type { Issue } from '@gantry/core'
import type { DesiredService } from '../../desired.ts'

export const portIssues = ({ ports }: Pick<DesiredService, 'ports'>, path: string): Issue[] =>
  ports.flatMap(({ hostPort, bind }, at) =>
    hostPort > 0 && isLoopback(bind) ? [{ path: `${path}.ports[${at}].hostPort`, message }] : [],
  )

const message =
  'is opened on the loopback of whatever node the replica is on, where nobody else can dial it; set bind to 0.0.0.0, or use expose: node'

const isLoopback = (address: string): boolean => address.startsWith('127.') || address === '::1'
