/** One connection from here to a replica, in both directions, until both sides have ended. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { ForwardedConnection } from '@gantry/api'

export async function join(local: Socket, remote: ForwardedConnection): Promise<void> {
  // What cannot be written any more is told by the direction that writes it.
  local.on('error', () => remote.close())
  try {
    await Promise.all([outward(local, remote), inward(remote, local)])
  } finally {
    remote.close()
    local.destroy()
  }
}

async function outward(local: Socket, remote: ForwardedConnection): Promise<void> {
  for await (const chunk of local.iterator({ destroyOnReturn: false })) await remote.write(chunk as Uint8Array)
  remote.end()
}

async function inward(remote: ForwardedConnection, local: Socket): Promise<void> {
  for await (const chunk of remote.bytes) {
    if (!local.write(chunk)) await Promise.race([once(local, 'drain'), once(local, 'close')])
  }
  local.end()
}
