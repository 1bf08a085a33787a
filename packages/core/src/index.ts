export { type Call, type Deadline, orAbort, sleep, withDeadline } from './abort.ts'
export { type Action, actionLeadsTo, actions, actionTable, admitAction, legalActions, type Verdict } from './actions.ts'
export { canonicalJson } from './canonical-json.ts'
export {
  type Capability,
  capabilities,
  type DeclaredCapability,
  declaredCapabilities,
  type MethodCapability,
  methodCapabilities,
  strategyCapability,
} from './capabilities.ts'
export { asWritten } from './change/as-written.ts'
export { type Change, type ChangeOp, diff } from './change/diff.ts'
export { mergePatch } from './change/merge-patch.ts'
export { type Merged, type MergeOptions, merge3, type Revert } from './change/merge3.ts'
export { makePlan, type Plan, type PlanBasis, type PlanStep, planHash } from './change/plan.ts'
export { type Clock, systemClock } from './clock.ts'
export { type Deferred, deferred } from './deferred.ts'
export { derivedName, derivedNameLimit } from './derived-name.ts'
export { documentLimits } from './document/limits.ts'
export { type ParsedDocument, type ParseOptions, parseDocuments } from './document/parse-documents.ts'
export { checkPlainJson } from './document/plain-json.ts'
export { durationRule, formatDuration, parseDuration, readDuration } from './duration.ts'
export {
  asFault,
  Fault,
  type FaultKind,
  type FaultMore,
  faultMeaning,
  type Issue,
  isFault,
  isRetryable,
  type PublicFault,
  publicFault,
} from './fault.ts'
export { type FaultReason, faultReasons } from './fault-reasons.ts'
export { hashOf, sha256Hex } from './hash.ts'
export {
  type Aggregate,
  aggregate,
  type InstanceState,
  instanceStates,
  type ServiceOutlook,
  worstReady,
  worstState,
} from './instance-state.ts'
export type { Json } from './json.ts'
export { defineKind, type Kind, type KindDefinition } from './kinds/define-kind.ts'
export { commonStatus, type Manifest } from './kinds/envelope.ts'
export { type Column, type Face, faceOf, type Maker, type Scope } from './kinds/face.ts'
export { type AnyFace, faces, findFace } from './kinds/faces.ts'
export {
  annotationsField,
  argument,
  derivedNameField,
  labelsField,
  nameField,
  quantityField,
  titleField,
} from './kinds/fields.ts'
export { instanceFinalizer, instanceKind } from './kinds/instance/instance.ts'
export { restartsOf } from './kinds/instance/restarts.ts'
export { type InstanceSlot, instanceName, otherSlot, slots } from './kinds/instance/slot.ts'
export type { InstanceInput, InstanceSpec } from './kinds/instance/spec.ts'
export {
  blindStatus,
  type EndpointStatus,
  type InstanceObjectStatus,
  type ReplicaStatus,
  replicaStatus,
} from './kinds/instance/status.ts'
export { type ParseObjectsOptions, parseObjects } from './kinds/parse-objects.ts'
export { type DockerSettings, tlsValues, usualDockerEndpoint } from './kinds/provider/docker.ts'
export { type KubernetesSettings, kubeconfigKey } from './kinds/provider/kubernetes.ts'
export { type ProviderStatus, providerKind } from './kinds/provider/provider.ts'
export { everyTenant, type ProviderInput, type ProviderSpec, servesTenant } from './kinds/provider/spec.ts'
export {
  type AnyKind,
  type AnyWrittenKind,
  findKind,
  type InputOf,
  type KindName,
  kindCalled,
  kindOf,
  kinds,
  type MadeKindName,
  madeKinds,
  type ObjectOf,
  parseObject,
  type SpecOf,
  type StatusOf,
  type WrittenKindName,
  writtenKinds,
} from './kinds/registry.ts'
export { describeReleaseChanges, releaseChanges } from './kinds/release/changes.ts'
export {
  type ReleaseInput,
  type ReleaseSpec,
  type ReleaseStatus,
  releaseKind,
  releaseName,
} from './kinds/release/release.ts'
export { rolloutKind } from './kinds/rollout/rollout.ts'
export {
  type RolloutInput,
  type RolloutSpec,
  type RolloutTrigger,
  rolloutName,
  rolloutTriggers,
} from './kinds/rollout/spec.ts'
export {
  endedPhases,
  hasEnded,
  type RolloutFailure,
  type RolloutPhase,
  type RolloutStatus,
  type RolloutStep,
  rolloutPhases,
  type WaitReason,
  waitReasons,
} from './kinds/rollout/status.ts'
export { ownDomain, ownHost } from './kinds/route/own-host.ts'
export { type RouteStatus, routeKind } from './kinds/route/route.ts'
export { hostField, type RouteInput, type RouteSpec } from './kinds/route/spec.ts'
export { secretKeyField } from './kinds/secret/key.ts'
export {
  type SecretInput,
  type SecretSpec,
  type SecretStatus,
  type SecretVersion,
  secretKind,
} from './kinds/secret/secret.ts'
export { type Quota, type QuotaCounter, quotaCounters, quotaFields } from './kinds/tenant/quota.ts'
export { type TenantInput, type TenantSpec, type TenantStatus, tenantKind } from './kinds/tenant/tenant.ts'
export { completeWorkload } from './kinds/workload/complete.ts'
export { type ConfigFileSpec, type ConfigFormat, configFormats } from './kinds/workload/config-files.ts'
export { contentReference, referenceIn } from './kinds/workload/content-reference.ts'
export { findCycle } from './kinds/workload/cycle.ts'
export {
  type DependencyCondition,
  dependencyConditions,
  type ServiceDependency,
  type WorkloadDependency,
} from './kinds/workload/depends-on.ts'
export { describeEffects, type WorkloadEffects, workloadEffects } from './kinds/workload/effects.ts'
export { type HealthCheckSpec, healthCheckSpec, type ProbeType, probeTypes } from './kinds/workload/health-check.ts'
export { type PortSpec, portProtocols } from './kinds/workload/ports.ts'
export { type ReleaseContent, releaseHash } from './kinds/workload/release.ts'
export type { RequestsSpec, ResourcesSpec } from './kinds/workload/resources.ts'
export { type RestartSpec, restartPolicies } from './kinds/workload/restart.ts'
export type { SecretRefSpec } from './kinds/workload/secret-refs.ts'
export {
  imagePullPolicies,
  type ServiceRole,
  type ServiceSpec,
  serviceFields,
  serviceRoles,
} from './kinds/workload/service.ts'
export {
  type ChartSpec,
  type HelmSpec,
  longestArchive,
  type SourceSpec,
  type SourceType,
  sourceType,
} from './kinds/workload/source/fields.ts'
export {
  type Exposure,
  exposures,
  type WorkloadFields,
  type WorkloadInput,
  type WorkloadSpec,
  type WorkloadType,
  workloadFields,
  workloadTypes,
} from './kinds/workload/spec.ts'
export {
  type CanaryAnalysis,
  type CanaryStep,
  type StrategySpec,
  type StrategyType,
  strategyFields,
  strategyTypes,
} from './kinds/workload/strategy.ts'
export { type VolumeSpec, type VolumeType, volumeTypes } from './kinds/workload/volumes.ts'
export { type WorkloadStatus, workloadKind } from './kinds/workload/workload.ts'
export {
  checkName,
  derivedNamePattern,
  isName,
  labelKeyPattern,
  labelValuePattern,
  namePattern,
  nameRule,
  portNamePattern,
} from './names.ts'
export type { Condition, ConditionStatus, GantryObject, Metadata, ObjectKey, OwnerRef, Status } from './object.ts'
export { type Joined, joinSignals, onAbort } from './on-abort.ts'
export { formatPath, type NamedPath, type Path, type PathPart, parsePath } from './path.ts'
export {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  milliUnits,
  parseQuantity,
  type Quantity,
  quantityPattern,
  readQuantity,
  wholeUnits,
} from './quantity.ts'
export { isSecret, Secret } from './secret.ts'
export { nearest } from './validation/nearest.ts'
