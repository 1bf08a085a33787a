/** From a configuration to a cluster that we can speak with. */
import { type Call, type Clock, systemClock } from '@gantry/core'
import type { ClusterConfig } from '../config/cluster-config.ts'
import { credentialsOf, textOf } from '../config/credentials/credentials-of.ts'
import type { Environment } from '../config/settings.ts'
import { addressOf } from './address.ts'
import type { KubernetesApi } from './api.ts'
import { discoveryApi } from './discovery.ts'
import { httpWire } from './http-wire.ts'
import { type ObjectsOptions, objectsApi } from './objects.ts'
import { podsApi } from './pods.ts'
import { ifThere, jsonOf } from './questions.ts'
import type { Wire } from './wire.ts'

export type ConnectOptions = {
  readonly clock?: Clock
  /** How long a server may take to answer. */
  readonly answerMs?: number
  /** How long a watch may be without a word, bookmarks included, which come once a minute. */
  readonly silenceMs?: number
  /** How many objects a list is read by at a time. */
  readonly pageSize?: number
  /** What programs are run with that sign us in. */
  readonly env?: Environment
}

const usualAnswerMs = 30_000
const usualSilenceMs = 90_000

/** Signs in, and asks the server for its version: whoever has this has spoken with it. */
export async function connectKubernetes(
  config: ClusterConfig,
  call: Call,
  options: ConnectOptions = {},
): Promise<KubernetesApi> {
  const { clock = systemClock, answerMs = usualAnswerMs, silenceMs = usualSilenceMs, env = process.env } = options
  const paging = options.pageSize === undefined ? {} : { pageSize: options.pageSize }
  const ca = await textOf(config.ca, 'the authority of the cluster')
  const { server, insecure = false, tlsServerName } = config
  const address = addressOf(server, {
    insecure,
    ...(ca !== undefined && { ca }),
    ...(tlsServerName !== undefined && { serverName: tlsServerName }),
  })
  const as = `${config.user.name || 'an anonymous user'} (${config.origin})`
  const credentials = credentialsOf(config, { clock, env })
  const api = kubernetesApi(httpWire(address, credentials, { clock, answerMs, as }), {
    clock,
    as,
    silenceMs,
    ...paging,
  })
  try {
    await api.discovery.version(call)
    return api
  } catch (error) {
    api.close()
    throw error
  }
}

export function kubernetesApi(wire: Wire, options: ObjectsOptions): KubernetesApi {
  return {
    server: wire.server,
    discovery: discoveryApi(wire),
    objects: objectsApi(wire, options),
    pods: podsApi(wire, options),
    raw: (path, call) => ifThere(jsonOf(wire, { method: 'GET', path }, call)),
    close: () => wire.close(),
  }
}
