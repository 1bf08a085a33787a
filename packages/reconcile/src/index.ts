export { Controller } from './controller/controller.ts'
export type { ControllerOptions, WatchedSource } from './controller/controller-options.ts'
export { Feed, type FeedOptions } from './controller/feed.ts'
export { type FeedListener, Feeds, type FeedsOptions, type Following } from './controller/feeds.ts'
export { keyOf, keyText, readinessOf, revisionOf, versionOf } from './controller/object-facts.ts'
export type { Reconcile, Run } from './controller/reconcile.ts'
export {
  defaultRetryPolicy,
  freshMemory,
  type Memory,
  nextVisit,
  type RetryPolicy,
  type Visit,
} from './controller/retry-policy.ts'
export type { Source, SourceChange, SourcePage } from './controller/source.ts'
export type { Lease, LeaseStore } from './lease.ts'
export type { Held, Ownership } from './leases/ownership.ts'
export { Shards, type ShardsOptions, shardCount, shardLease, shardOf } from './leases/shards.ts'
export { type ManageOptions, manageObject } from './managed/manage-object.ts'
export type { FencedCall, ManagedObjects } from './managed/managed-objects.ts'
export type { StepStatus } from './managed/status-of.ts'
export { type ApplicationOptions, application } from './provisioners/application/application.ts'
export type {
  ApplicationDriver,
  ApplicationHealth,
  ApplicationId,
  ObservedApplication,
  Removal,
} from './provisioners/application/application-driver.ts'
export type { ApplicationSpec } from './provisioners/application/application-spec.ts'
export type { ApplicationVersion, CatalogueEntry, Parameter } from './provisioners/application/catalogue.ts'
export type { Generators, IgnoredDifference, NamespaceMetadata } from './provisioners/application/generators.ts'
export type { ClusterConfig, ClusterScope } from './provisioners/cluster-scope.ts'
export { concurrent } from './provisioners/concurrent.ts'
export { conditional } from './provisioners/conditional.ts'
export { configHash } from './provisioners/config-hash.ts'
export { enter } from './provisioners/enter.ts'
export { newPass, type Pass, type Provisioner, type Verb } from './provisioners/provisioner.ts'
export type { ClusterDriver, ClusterSource } from './provisioners/remote/cluster-source.ts'
export {
  type OnOptions,
  type RemoteCluster,
  type RemoteClusterOptions,
  remoteCluster,
} from './provisioners/remote/remote-cluster.ts'
export { type ResourceOptions, resource } from './provisioners/resource.ts'
export type { ObservedResource, ResourceDriver } from './provisioners/resource-driver.ts'
export { serial } from './provisioners/serial.ts'
export type { Durations } from './queue/durations.ts'
export { FairQueue } from './queue/fair-queue.ts'
export { type Priority, priority } from './queue/priority.ts'
export type { QueueMetrics } from './queue/queue-metrics.ts'
export type { Again, WorkItem, WorkQueue } from './queue/work-queue.ts'
export { type StopOptions, type StopReport, Workers, type WorkersOptions } from './queue/workers.ts'
export { combine, under } from './results/combine.ts'
export { conditionsFor, restingConditions } from './results/conditions.ts'
export { couldNotLook, failed } from './results/from-error.ts'
export {
  type Done,
  done,
  type Leaf,
  leavesOf,
  type Permanent,
  type Result,
  type ResultState,
  type Transient,
  waiting,
  type Yield,
} from './results/result.ts'
export { asStuck, isStuck, type Waited } from './results/stuck.ts'
