/** What each part is started with: pure. */
import { type Addresses, nodeName, ports } from './addresses.ts'
import * as places from './places.ts'

export type PartName =
  | 'etcd'
  | 'apiserver'
  | 'controllerManager'
  | 'scheduler'
  | 'proxy'
  | 'kubelet'
  | 'containerd'
  | 'metricsServer'

export function etcdUrl({ node }: Addresses): string {
  return `http://${node}:${ports.etcd}`
}

export type Gates = Readonly<Record<string, boolean>>

export type Manner = {
  readonly gates: Gates
  /** As long as a node may be silent. */
  readonly nodeGraceSeconds: number
  /** Whether there is a server of figures. */
  readonly metrics: boolean
}

export function argumentsOf(name: PartName, folder: string, addresses: Addresses, manner: Manner): string[] {
  const flags = flagsOf(name, folder, addresses, manner)
  return Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`)
}

type Flags = Readonly<Record<string, string | number | boolean>>

function flagsOf(name: PartName, folder: string, addresses: Addresses, { gates, nodeGraceSeconds }: Manner): Flags {
  const { crt, key } = { crt: places.certificate.bind(null, folder), key: places.key.bind(null, folder) }
  const peers = 'http://127.0.0.1:2380'
  // As often as they like: nobody else is there to be spared, and a thousand workloads would take minutes.
  const byItself = { 'leader-elect': false, 'secure-port': 0, 'kube-api-qps': 200, 'kube-api-burst': 400 }
  switch (name) {
    case 'etcd':
      return {
        'data-dir': places.etcdData(folder),
        'listen-client-urls': etcdUrl(addresses),
        'advertise-client-urls': etcdUrl(addresses),
        'listen-peer-urls': peers,
        'initial-advertise-peer-urls': peers,
        'initial-cluster': `default=${peers}`,
        // What is in it ends with the instance: a machine that loses power has no cluster to come back to.
        'unsafe-no-fsync': true,
        logger: 'zap',
        'log-level': 'warn',
      }
    case 'apiserver':
      return {
        'etcd-servers': etcdUrl(addresses),
        'secure-port': ports.api,
        'advertise-address': addresses.node,
        'service-cluster-ip-range': addresses.services,
        'authorization-mode': 'Node,RBAC',
        'allow-privileged': true,
        profiling: false,
        'feature-gates': Object.entries(gates)
          .map(([gate, isOpen]) => `${gate}=${isOpen}`)
          .join(','),
        'shutdown-watch-termination-grace-period': '1s',
        'tls-cert-file': crt('apiserver'),
        'tls-private-key-file': key('apiserver'),
        'client-ca-file': crt('ca'),
        'token-auth-file': places.tokens(folder),
        'service-account-issuer': 'https://kubernetes.default.svc',
        'service-account-key-file': key('accounts'),
        'service-account-signing-key-file': key('accounts'),
        'kubelet-certificate-authority': crt('ca'),
        'kubelet-client-certificate': crt('apiserver-kubelet-client'),
        'kubelet-client-key': key('apiserver-kubelet-client'),
        'kubelet-preferred-address-types': 'InternalIP',
        'enable-aggregator-routing': true,
        'requestheader-client-ca-file': crt('front-proxy-ca'),
        'requestheader-allowed-names': 'front-proxy-client',
        'requestheader-username-headers': 'X-Remote-User',
        'requestheader-group-headers': 'X-Remote-Group',
        'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
        'proxy-client-cert-file': crt('front-proxy-client'),
        'proxy-client-key-file': key('front-proxy-client'),
      }
    case 'controllerManager':
      return {
        ...byItself,
        kubeconfig: places.kubeconfig(folder, 'system:kube-controller-manager'),
        'root-ca-file': crt('ca'),
        'service-account-private-key-file': key('accounts'),
        'use-service-account-credentials': true,
        'cluster-signing-cert-file': crt('ca'),
        'cluster-signing-key-file': key('ca'),
        'node-monitor-period': '1s',
        'node-monitor-grace-period': `${nodeGraceSeconds}s`,
      }
    case 'scheduler':
      return { ...byItself, kubeconfig: places.kubeconfig(folder, 'system:kube-scheduler') }
    case 'proxy':
      return { config: places.proxyConfig(folder) }
    case 'kubelet':
      return {
        config: places.kubeletConfig(folder),
        kubeconfig: places.kubeconfig(folder, `system:node:${nodeName}`),
        'hostname-override': nodeName,
        'node-ip': addresses.node,
      }
    case 'containerd':
      return { config: places.containerdConfig(folder) }
    case 'metricsServer':
      return {
        kubeconfig: places.kubeconfig(folder, 'metrics-server'),
        'authentication-kubeconfig': places.kubeconfig(folder, 'metrics-server'),
        'authorization-kubeconfig': places.kubeconfig(folder, 'metrics-server'),
        'secure-port': ports.metrics,
        'cert-dir': places.certificates(folder),
        'kubelet-certificate-authority': crt('ca'),
        'kubelet-preferred-address-types': 'InternalIP',
        'metric-resolution': '10s',
        'kubelet-request-timeout': '5s',
      }
    default:
      return name satisfies never
  }
}

/**
 * What Go's clients go by to find that nobody is at the other end: through within the grace of a node, or a part may be deaf for
 * longer; and not sooner, or all connections are cut where a machine is merely busy.
 */
export function environmentOf({ nodeGraceSeconds }: Manner): Record<string, string> {
  const seconds = String(Math.max(1, Math.floor(nodeGraceSeconds / 3)))
  return { HTTP2_READ_IDLE_TIMEOUT_SECONDS: seconds, HTTP2_PING_TIMEOUT_SECONDS: seconds }
}
