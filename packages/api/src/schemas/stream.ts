/** What both ends of a watch agree on, beside the events themselves. */

/** The name of an event whose data is a problem; the stream ends with it. All others are named by their `type`. */
export const faultEvent = 'fault'

/** At least so often a server says something, if only a comment. The first thing is a bookmark, at once. */
export const heartbeatMs = 15_000

/** After so long a silence a client takes the connection for dead. */
export const silenceMs = 3 * heartbeatMs
