export { type Call, type Deadline, orAbort, sleep, withDeadline } from './abort.ts'
export { type Action, actionLeadsTo, actions, actionTable, admitAction, legalActions, type Verdict } from './actions.ts'
export {
  type Capability,
  capabilities,
  type DeclaredCapability,
  declaredCapabilities,
  type MethodCapability,
  methodCapabilities,
  strategyCapability,
} from './capabilities.ts'
export { type Clock, systemClock } from './clock.ts'
export {
  asFault,
  Fault,
  type FaultKind,
  type FaultMore,
  faultMeaning,
  type Issue,
  isFault,
  isRetryable,
} from './fault.ts'
export { type FaultReason, faultReasons } from './fault-reasons.ts'
export {
  type Aggregate,
  aggregate,
  type InstanceState,
  instanceStates,
  type ServiceOutlook,
  worstReady,
  worstState,
} from './instance-state.ts'
export { completeWorkload } from './kinds/workload/complete.ts'
export type { ConfigFileSpec, ConfigFormat } from './kinds/workload/config-files.ts'
export type { DependencyCondition, ServiceDependency, WorkloadDependency } from './kinds/workload/depends-on.ts'
export { type HealthCheckSpec, type ProbeType, probeTypes } from './kinds/workload/health-check.ts'
export type { PortSpec } from './kinds/workload/ports.ts'
export type { RequestsSpec, ResourcesSpec } from './kinds/workload/resources.ts'
export type { RestartSpec } from './kinds/workload/restart.ts'
export type { SecretRefSpec } from './kinds/workload/secret-refs.ts'
export { type ServiceRole, type ServiceSpec, serviceFields } from './kinds/workload/service.ts'
export {
  type Exposure,
  type WorkloadFields,
  type WorkloadInput,
  type WorkloadSpec,
  type WorkloadType,
  workloadFields,
} from './kinds/workload/spec.ts'
export type { CanaryAnalysis, CanaryStep, StrategySpec, StrategyType } from './kinds/workload/strategy.ts'
export type { VolumeSpec, VolumeType } from './kinds/workload/volumes.ts'
export {
  checkName,
  isName,
  labelKeyPattern,
  labelValuePattern,
  namePattern,
  nameRule,
  portNamePattern,
} from './names.ts'
export type { Condition, ConditionStatus, GantryObject, Metadata, ObjectKey, OwnerRef, Status } from './object.ts'
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
