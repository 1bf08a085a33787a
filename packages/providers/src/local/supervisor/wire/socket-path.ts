/**
 * A unix socket's address holds 107 bytes and no more, and data folders lie where people put them. A longer path is reached
 * through the folder it is in, opened: /proc/self/fd/<number>/<name> is always short, and names the same socket.
 */
import { closeSync, openSync } from 'node:fs'
import { basename, dirname } from 'node:path'

const longestAddress = 107

export type SocketAddress = {
  readonly path: string
  /** To be called once connected or listening. */
  readonly release: () => void
}

export function socketAddress(path: string): SocketAddress {
  if (Buffer.byteLength(path) <= longestAddress) return { path, release: () => undefined }
  const folder = openSync(dirname(path), 'r')
  let open = true
  return {
    path: `/proc/self/fd/${folder}/${basename(path)}`,
    release() {
      if (open) closeSync(folder)
      open = false
    },
  }
}
