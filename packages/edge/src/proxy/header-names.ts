/** What becomes of a header on its way. Names come in few spellings, so each is worked out once. */

/**
 * `hop`: meant for the next one only, and ends here. `forwarding`: says who came before, and is believed from some only.
 * The others are looked at by themselves. `pass`: goes on as it is.
 */
export type Fate = 'pass' | 'hop' | 'forwarding' | 'host' | 'connection' | 'length' | 'encoding' | 'expect'

const fates: Readonly<Record<string, Fate>> = {
  host: 'host',
  connection: 'connection',
  'content-length': 'length',
  'transfer-encoding': 'encoding',
  expect: 'expect',
  'keep-alive': 'hop',
  'proxy-connection': 'hop',
  'proxy-authenticate': 'hop',
  'proxy-authorization': 'hop',
  te: 'hop',
  trailer: 'hop',
  upgrade: 'hop',
  'x-forwarded-for': 'forwarding',
  'x-forwarded-host': 'forwarding',
  'x-forwarded-proto': 'forwarding',
  'x-forwarded-port': 'forwarding',
  'x-forwarded-server': 'forwarding',
  'x-forwarded-prefix': 'forwarding',
  'x-real-ip': 'forwarding',
  forwarded: 'forwarding',
}

const spellings = new Map<string, Fate>()
/** A client may make up names without end. */
const mostSpellings = 2000

export function fateOf(name: string): Fate {
  const known = spellings.get(name)
  if (known) return known
  const lower = name.toLowerCase()
  const fate = Object.hasOwn(fates, lower) ? (fates[lower] ?? 'pass') : 'pass'
  if (spellings.size < mostSpellings) spellings.set(name, fate)
  return fate
}

/** Other headers that `Connection` names end here too, but for those that must not be talked away by a client. */
export function namedInConnection(value: string): readonly string[] {
  const names = value.split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '' && name !== 'close' && name !== 'keep-alive' && fateOf(name) === 'pass')
}
