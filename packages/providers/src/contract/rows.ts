/** What a workload provider is described to do, row by row: every row has cases, or says where its proof is instead. */

export const rows = {
  info: 'Provider.Info: name, version, region, location',
  capabilities: 'Capabilities, HasCapability, the declared ones and source:*',
  provision: 'Provision: reference, service references, endpoints, metadata',
  deprovision: 'Deprovision',
  lifecycle: 'Start, Stop, Restart',
  status: 'Status: state, ready, restarts, startedAt, message, endpoints, services, metadata',
  deploy: 'Deploy: partial services, strategy, release id',
  rollback: 'Rollback of an instance to a release',
  scale: 'Scale: cpu, memory, disk, replicas, gpu',
  resources: 'Resources: cpu, memory used and limit, disk, network in and out',
  logs: 'Logs: service, follow, since, tail',
  exec: 'Exec: stdin, tty; exit code, stdout, stderr',
  health: 'HealthChecker: healthy, message, latency, checkedAt',
  registry: 'Registry: Register, Get, List, All, Default, SetDefault, ErrProviderNotFound',
  serviceSpec: 'ServiceSpec: every field',
  roles: 'ServiceRole: rules of main, sidecar and init',
  alias: 'service name as network alias',
  facts: 'Endpoint, Location, ServiceStatus, DeployResult, SecretRef: each fact filled or undefined',
  labels: 'ProvisionRequest.Labels',
  serviceDeploy: 'ServiceDeploySpec: image, env, healthCheck',
  shapes: 'PortSpec, VolumeSpec, ConfigFile, ResourceSpec',
  autoscale: 'CapAutoScale',
  kinds: 'WorkloadKind: deployment, stateful_set',
  states: 'InstanceState and legal transitions',
  releases: 'Releases: self-contained, inheriting unlisted services',
  docker: 'Docker provider',
  nomad: 'Nomad provider',
} as const

export type Row = keyof typeof rows

/** These are not cases but places to run all of them. */
export const rowsElsewhere: Partial<Record<Row, string>> = {
  docker: 'this whole suite, run on a real Docker Engine by the Docker provider',
  nomad: 'this whole suite, run on a real Nomad agent by the Nomad provider',
}
