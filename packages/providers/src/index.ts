export { capabilitiesOf, hasCapability, nearestWay } from './capabilities.ts'
export { type Channel, channel, failOnAbort } from './channel.ts'
export type { Connection } from './connection.ts'
export { contentHash } from './content-hash.ts'
export {
  type Desired,
  type DesiredService,
  type InPlaceUpdate,
  inPlaceUpdate,
  type PullCredentials,
  type ResolvedSecret,
  type WantedImage,
} from './desired.ts'
export type { Engine, EngineInfo, RemoveOptions, ReplicaHands } from './engine.ts'
export type { EngineStep } from './engine-step.ts'
export { environmentOf, type PortNumber } from './environment.ts'
export type { ExecExit, ExecRequest, ExecSession, TerminalSize } from './exec.ts'
export type { ProviderDeps } from './from/deps.ts'
export { assemble, desiredOf, replicaHash } from './from/desired-of.ts'
export { deployServices, mergeEnvironment, scaleServices, serviceNotFound, stampedHash } from './from/draft-release.ts'
export { pinImages } from './from/pin-images.ts'
export { refuseUnsupported } from './from/refuse.ts'
export { resolveSecrets } from './from/resolve-secrets.ts'
export { credentialsName, desiredSource, resolveSource } from './from/resolve-source.ts'
export { stateForActions, stateOf as stateOfPhase, statusOf } from './from/status.ts'
export { label, labelsOf, ownerLabels, ownPrefix, refFromLabels } from './labels.ts'
export { type Leaving, leaveAtOnce } from './leaving.ts'
export {
  type EngineGap,
  type EngineLines,
  type EngineLog,
  type LogFrom,
  type LogGap,
  type LogLine,
  type LogOptions,
  type LogStream,
  lineBatch,
} from './log-line.ts'
export { linesOf } from './log-text.ts'
export { memoryRecords } from './memory-records.ts'
export type {
  Blind,
  Changed,
  Endpoint,
  Gone,
  Observation,
  Observed,
  Replica,
  ServiceObserved,
  ServicePhase,
  Snapshot,
  Stall,
} from './observed.ts'
export { overlay } from './overlay.ts'
export { done, type Pass, waitFor } from './pass.ts'
export type {
  Deployed,
  DeployRequest,
  ExecOptions,
  InstanceStatus,
  Location,
  Provider,
  ProviderHealth,
  ProviderInfo,
  Provisioned,
  ProvisionRequest,
  ScaleRequest,
  ServiceDeploy,
  ServiceStatus,
} from './provider.ts'
export { providerFrom } from './provider-from.ts'
export type { InstanceRecord, InstanceRecords, Wishes } from './records.ts'
export { type Ref, refKey, refName, type Slot, type TrafficWeights, type WorkloadRef } from './ref.ts'
export { ProviderRegistry } from './registry.ts'
export type { Release } from './release.ts'
export { type ReplicaSet, type ReplicaSetParts, replicaSet } from './replica-set/replica-set.ts'
export { replicaSteps } from './replica-set/steps.ts'
export type { SecretSource } from './secret-source.ts'
export type { DesiredSource, HelmChart, HelmSource, ManifestsSource } from './source.ts'
export { type Progress, startable, stopRank } from './start-order.ts'
export type { Capacity, ReplicaUsage, Usage } from './usage.ts'
