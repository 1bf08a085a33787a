/** What both ends of a WebSocket agree on, beside the frames; apart from their schemas, for clients that load none. */

/** Always asked for, and always chosen. */
export const subprotocol = 'gantry.v1'

/**
 * For those who cannot send an Authorization header with a WebSocket, which is every browser: the token, as a second
 * sub-protocol behind this. It is never chosen, and never in a URL.
 */
export const bearerSubprotocol = 'gantry.bearer.'

/** The first byte of a binary frame. */
export const frameStreams = { stdin: 0, stdout: 1, stderr: 2 } as const

/** Bytes of a binary frame at most, with the first. */
export const longestFrame = 1_048_576
