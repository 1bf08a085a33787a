/** Pure: an address of an engine, as one can connect to it. */
export type Place = { readonly path: string } | { readonly host: string; readonly port: number }

/** `tcp`: the port of an address of tcp that names none. */
export function placeOf(address: string, tcp = 2375): Place | undefined {
  if (address.startsWith('unix://')) return { path: address.slice('unix://'.length) }
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname, port } = new URL(address)
  if (hostname === '') return undefined
  const usual = { 'tcp:': tcp, 'http:': 80, 'https:': 443 }[protocol]
  if (usual === undefined) return undefined
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port) }
}

/** Whether a server at this address is on this machine, and so sees the sockets that we see. */
export function isThisMachine(server: string): boolean {
  if (!URL.canParse(server)) return false
  const host = new URL(server).hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
}
