/** What names a fault in the headers of an answer; apart from its schema, for clients that load none. */

export const problemType = 'application/problem+json'

/** On every answer, and on every line that the server writes about it. */
export const requestIdHeader = 'x-request-id'
