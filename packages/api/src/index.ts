export type { CallOptions } from './client/call.ts'
export type { Client, ClientOptions } from './client/client.ts'
export { createClient } from './client/create-client.ts'
export type { ExecOptions, ExecResult, RunningExec, TerminalSize } from './client/exec.ts'
export type {
  KindClient,
  ListClient,
  ListOptions,
  LookClient,
  PutOptions,
  WatchOptions,
  WriteOptions,
} from './client/kind-client.ts'
export type { LogOptions } from './client/logs.ts'
export type { Paged } from './client/pages.ts'
export type { ForwardedConnection, ForwardOptions } from './client/port-forward.ts'
export { RemoteFault, requestIdOf } from './client/remote-fault.ts'
export type { ReplyOf, RequestFor } from './client/request.ts'
export type { AuditOptions, SecretClient, TenantClient } from './client/tenant-client.ts'
export type { SystemTokenInput, TenantTokenInput, TokenClient } from './client/token-client.ts'
export type { Answered, Fetch, TokenSource } from './client/transport.ts'
export type { SocketEvent, WebSocketFactory, WebSocketLike } from './client/web-socket.ts'
export type { DeleteWorkloadOptions, RolloutControl, WorkloadClient } from './client/workload-client.ts'
export {
  type Access,
  type Body,
  type Endpoint,
  type EndpointDefinition,
  endpoint,
  type MediaType,
  type Method,
  type Precondition,
  type Reply,
  type Upgrade,
} from './endpoint.ts'
export type { KindNameIn } from './endpoints/of-kind.ts'
export { allEndpoints, type Endpoints, endpoints } from './endpoints/table.ts'
export { faultsOf } from './faults-of.ts'
export { type Grant, type Identity, type Role, roles, type TenantRole, tenantRoles } from './identity.ts'
export { wireTableSource } from './light/write-wire-table.ts'
export { type OpenApiDocument, openApiDocument } from './openapi/document.ts'
export { kindPermission, type Permission, permissions, type Verb } from './permissions.ts'
export { etagOf, readEtag } from './preconditions.ts'
export { allowed, rolePermissions } from './roles.ts'
export type { AbortBody, DeployBody, RollbackBody, ScaleBody } from './schemas/actions.ts'
export type { AuditEntry, AuditVerdict } from './schemas/audit.ts'
export type { ObjectEvent, TenantEvent } from './schemas/event.ts'
export { bearerSubprotocol, frameStreams, longestFrame, subprotocol } from './schemas/frame-words.ts'
export {
  type ExecClientFrame,
  type ExecServerFrame,
  type ExecStart,
  execClientFrame,
  type ForwardClientFrame,
  type ForwardServerFrame,
  type ForwardStart,
  forwardClientFrame,
} from './schemas/frames.ts'
export type { OfferedProvider, TenantQuota } from './schemas/home.ts'
export type { ObjectChange, ObjectPage } from './schemas/list.ts'
export type { WorkloadLog, WorkloadLogGap, WorkloadLogLine } from './schemas/logs.ts'
export { type AnyObject, objectOf } from './schemas/object.ts'
export type { ApplyInput, ApplyReply, PlanInput, PlanReply } from './schemas/plan.ts'
export { type Problem, problemSchema } from './schemas/problem.ts'
export { problemType, requestIdHeader } from './schemas/problem-headers.ts'
export { defaultLimit } from './schemas/query.ts'
export type { Region } from './schemas/regions.ts'
export type { ReplicaItem, ReplicaList } from './schemas/replicas.ts'
export type { SecretChange, SecretData } from './schemas/secret-data.ts'
export type { Readiness, ServerVersion, Whoami } from './schemas/server.ts'
export { faultEvent, heartbeatMs, silenceMs } from './schemas/stream.ts'
export type { NewToken, Token } from './schemas/token.ts'
export type { UsageReply, UsageSample } from './schemas/usage.ts'
export type { AnyObjectInput, ObjectInput, ObjectPatch } from './schemas/write.ts'
