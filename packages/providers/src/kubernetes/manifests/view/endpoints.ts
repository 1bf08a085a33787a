/** Pure: where Services of a set can be dialled. */
import type { Endpoint } from '../../../observed.ts'
import { listAt, numberAt, textAt } from '../fields.ts'

export function serviceEndpoints(object: unknown, service: string, via: Endpoint['via']): Endpoint[] {
  const address = textAt(object, 'spec', 'clusterIP')
  const balancers = listAt(object, 'status', 'loadBalancer', 'ingress').flatMap(
    (each) => textAt(each, 'ip') ?? textAt(each, 'hostname') ?? [],
  )
  return listAt(object, 'spec', 'ports').flatMap((port): Endpoint[] => {
    const number = numberAt(port, 'port')
    if (number === undefined) return []
    const base = { service, port: textAt(port, 'name') ?? String(number), protocol: protocolOf(port), stable: true }
    const own: Endpoint[] =
      address && address !== 'None' ? [{ ...base, public: false, via, dial: { host: address, port: number } }] : []
    const outside = balancers.map(
      (host): Endpoint => ({ ...base, public: true, via: 'direct', dial: { host, port: number } }),
    )
    return [...own, ...outside]
  })
}

/** By what Kubernetes has for it, else by the name that many give it. */
function protocolOf(port: unknown): Endpoint['protocol'] {
  if (textAt(port, 'protocol') === 'UDP') return 'udp'
  const spoken = textAt(port, 'appProtocol') ?? textAt(port, 'name') ?? ''
  return /^(?:kubernetes\.io\/)?(?:http|h2c|ws)(?:$|-)/.test(spoken) ? 'http' : 'tcp'
}
