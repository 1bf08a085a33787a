/** The addresses of a cluster: pure. */
export type Addresses = {
  /** The machine's end of the link. */
  readonly machine: string
  /** The cluster's end: the address of its one node, and of its API. */
  readonly node: string
  readonly pods: string
  readonly services: string
  /** Of the Service called kubernetes, which is always the first of the range. */
  readonly firstService: string
}

export function addressesOf(subnet: number): Addresses {
  const at = (rest: string): string => `10.${subnet}.${rest}`
  return {
    machine: at('0.1'),
    node: at('0.2'),
    pods: at('64.0/18'),
    services: at('128.0/17'),
    firstService: at('128.1'),
  }
}

/** Inside of the cluster's own network, where nobody else has any. */
export const ports = { api: 6443, etcd: 2379, kubelet: 10250, metrics: 4443 } as const

/** At the machine's end of the link, which is the cluster's own as well. */
export const machinePorts = { registries: 5000, names: 53 } as const

export const nodeName = 'gantry-rig'
export const clusterDomain = 'cluster.local'

export function apiUrl({ node }: Addresses): string {
  return `https://${node}:${ports.api}`
}
