/** Pure: which of two states of an object is the later one. Servers promise nothing but numbers that grow (KEP-5504). */
export function isNewer(version: string, than: string): boolean {
  // Of a server that counts otherwise, what comes last is the last.
  if (!numeric.test(version) || !numeric.test(than)) return version !== than
  return version.length === than.length ? version > than : version.length > than.length
}

const numeric = /^[1-9]\d*$/
