/** Pure: what to say about two versions that were not made for each other; nothing if they were. */
export function skewWarning(client: string, server: string): string | undefined {
  const [own = 0, ownMinor = 0] = numbers(client)
  const [its = 0, itsMinor = 0] = numbers(server)
  if (own === its && Math.abs(ownMinor - itsMinor) <= 1) return undefined
  const older = own < its || (own === its && ownMinor < itsMinor)
  return `this program is ${client} and the server ${server}, more than one minor version apart; update the ${older ? 'program' : 'server'}`
}

function numbers(version: string): number[] {
  return version.split('.').map((part) => Number.parseInt(part, 10))
}
