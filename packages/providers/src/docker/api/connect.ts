/** From an address to an engine that we can speak with. */
import { type Call, type Clock, systemClock } from '@gantry/core'
import type { DockerApi } from './api.ts'
import { containersApi } from './containers.ts'
import type { Endpoint } from './endpoint.ts'
import { execsApi } from './execs.ts'
import { httpWire } from './http-wire.ts'
import { imagesApi } from './images.ts'
import { networksApi } from './networks.ts'
import { systemApi } from './system.ts'
import { capabilitiesOf, negotiate } from './versions.ts'
import { volumesApi } from './volumes.ts'
import type { Wire } from './wire.ts'

export type ConnectOptions = {
  readonly clock?: Clock
  /** How long an engine may take to answer; a minute, since a busy disk can hold it up for long. */
  readonly answerMs?: number
}

/** Asks the engine for its version, and speaks the newest that both sides know from then on. */
export async function connectDocker(
  endpoint: Endpoint,
  call: Call,
  { clock = systemClock, answerMs = 60_000 }: ConnectOptions = {},
): Promise<DockerApi> {
  const first = httpWire(endpoint, { clock, answerMs, prefix: '' })
  try {
    const apiVersion = negotiate(await systemApi(first).version(call))
    return dockerApi(httpWire(endpoint, { clock, answerMs, prefix: `/v${apiVersion}` }), apiVersion, clock)
  } finally {
    first.close()
  }
}

export function dockerApi(wire: Wire, apiVersion: string, clock: Clock): DockerApi {
  return {
    apiVersion,
    capabilities: capabilitiesOf(apiVersion),
    system: systemApi(wire),
    containers: containersApi(wire),
    images: imagesApi(wire),
    networks: networksApi(wire),
    volumes: volumesApi(wire),
    execs: execsApi(wire, clock),
    close: () => wire.close(),
  }
}
