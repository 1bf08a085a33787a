/** The configuration files of the parts: pure. */
import { join } from 'node:path'
import { type Addresses, clusterDomain, machinePorts, nodeName, ports } from './addresses.ts'
import type { Gates } from './arguments.ts'
import * as places from './places.ts'
import { debianOf } from './programs.ts'

export const testImage = 'gantry-test/busybox:1'
export const pauseImage = 'gantry-test/pause:1'

export function containerdConfiguration(folder: string, programs: string): string {
  const text = JSON.stringify
  return `version = 2
root = ${text(places.containerdRoot(folder))}
state = "/run/containerd"
oom_score = 0
disabled_plugins = ["io.containerd.internal.v1.opt"]
[grpc]
  address = ${text(places.containerdSocket(folder))}
[debug]
  level = "warn"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = ${text(`docker.io/${pauseImage}`)}
  # Root may not lower it everywhere.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = ${text(join(debianOf(programs), 'usr', 'lib', 'cni'))}
    conf_dir = ${text(places.networkConfig(folder))}
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = ${text(places.registryHosts(folder))}
`
}

/** Every registry is asked for through the machine: see `registries.ts`. Without the second line the first is not read. */
export function registryConfiguration({ machine }: Addresses): string {
  return `server = "http://${machine}:${machinePorts.registries}"\n[host]\n`
}

/** Each pod has a link of its own to the node, and no bridge beside: so all that pods say to each other passes the rules. */
export function networkConfiguration({ pods }: Addresses): string {
  const ipam = { type: 'host-local', ranges: [[{ subnet: pods }]], routes: [{ dst: '0.0.0.0/0' }] }
  return JSON.stringify({
    cniVersion: '0.4.0',
    name: 'rig',
    plugins: [
      { type: 'ptp', ipMasq: false, ipam },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  })
}

export function kubeletConfiguration(folder: string, addresses: Addresses, featureGates: Gates): string {
  return JSON.stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    featureGates,
    containerRuntimeEndpoint: `unix://${places.containerdSocket(folder)}`,
    port: ports.kubelet,
    healthzPort: 0,
    tlsCertFile: places.certificate(folder, 'kubelet'),
    tlsPrivateKeyFile: places.key(folder, 'kubelet'),
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: places.certificate(folder, 'ca') },
    },
    authorization: { mode: 'Webhook' },
    clusterDomain,
    clusterDNS: [addresses.machine],
    resolvConf: join(folder, 'resolv.conf'),
    cgroupDriver: 'cgroupfs',
    cgroupsPerQOS: false,
    enforceNodeAllocatable: [],
    failSwapOn: false,
    evictionHard: {},
    // A disk that is nearly full of other things is none of its business.
    imageGCHighThresholdPercent: 100,
    maxPods: 250,
    serializeImagePulls: false,
    // So that a node that went away is missed within seconds, together with the grace of the controller manager.
    nodeStatusUpdateFrequency: '2s',
    nodeLeaseDurationSeconds: 8,
    volumeStatsAggPeriod: '10s',
  })
}

export function proxyConfiguration(folder: string, { pods }: Addresses): string {
  return JSON.stringify({
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    clientConnection: { kubeconfig: places.kubeconfig(folder, 'system:kube-proxy') },
    hostnameOverride: nodeName,
    clusterCIDR: pods,
    mode: 'iptables',
    iptables: { minSyncPeriod: '200ms', localhostNodePorts: false },
    // Settings of the whole machine, which are not ours to change.
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
    healthzBindAddress: '127.0.0.1:10256',
    metricsBindAddress: '127.0.0.1:10249',
  })
}
