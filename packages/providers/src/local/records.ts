/** What is written down of instances, replicas and volumes. No secret is in it, and no content of a file. */
import type { HealthCheckSpec, RestartSpec, ServiceSpec } from '@gantry/core'
import type { Ref } from '../ref.ts'
import type { User } from './users.ts'

export type InstanceRecord = {
  readonly ref: Ref
  readonly installation: string
  readonly labels: Readonly<Record<string, string>>
  readonly stopGraceSeconds: number
  /** Asked for, but not enforced here. */
  readonly notEnforced: readonly string[]
}

export type PortRecord = {
  readonly name: string
  readonly protocol: 'http' | 'tcp' | 'udp'
  /** Where the process listens. */
  readonly number: number
  /** A fixed port of the machine, and the address it shall be open on. */
  readonly bind?: string
}

export type ServiceRecord = Pick<ServiceSpec, 'name' | 'role' | 'dependsOn'> & {
  readonly ports: readonly PortRecord[]
  readonly healthCheck?: HealthCheckSpec
  /** Whether it was told secrets: what it writes is not quoted by those who do not know them. */
  readonly secret: boolean
}

/** Written before anything of the replica is made, and gone after everything of it is. */
export type ReplicaRecord = {
  readonly engineId: string
  readonly installation: string
  readonly ref: Ref
  readonly index: number
  readonly release: string
  readonly specHash: string
  readonly labels: Readonly<Record<string, string>>
  readonly createdAt: string
  readonly terminating: boolean
  readonly user: User | undefined
  /** Of the server's environment when it was made: the same over a restart of the server. */
  readonly environment: Readonly<Record<string, string>>
  readonly restart: RestartSpec
  readonly stopGraceSeconds: number
  readonly services: readonly ServiceRecord[]
  /** What its persistent volumes lie in, below the folder of all volumes; left out in old records: by uid and slot. */
  readonly volumesIn?: string
}

export type VolumeRecord = {
  readonly id: string
  /** The last one that had it. */
  readonly ref: Ref
  readonly installation: string
  readonly labels: Readonly<Record<string, string>>
  readonly name: string
  readonly index: number
  readonly retain: boolean
  /** What it lies in, below the folder of all volumes; left out in old records: by uid and slot. */
  readonly folder?: string
}
