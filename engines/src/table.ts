/** Every engine the rig knows: a new one is a file beside this one and a line here. */
import { docker, newerDocker } from './docker/docker.ts'
import type { EngineDefinition } from './engine.ts'
import { kubernetes } from './kubernetes/kubernetes.ts'
import { postgres } from './postgres.ts'
import { registry } from './registry.ts'

export const engines = {
  postgres,
  docker,
  'docker-newer': newerDocker,
  registry,
  kubernetes,
} as const satisfies Record<string, EngineDefinition<unknown>>

export type EngineName = keyof typeof engines

/** What `engine(name)` answers as the address of that engine. */
export type AddressOf<Name extends EngineName> =
  (typeof engines)[Name] extends EngineDefinition<infer Address> ? Address : never
