/** Pure: where a Docker Engine of this machine may listen, the likeliest first. */
import { join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

export type DockerPlace = {
  /** `unix:///path` or `tcp://host:port`. */
  readonly endpoint: string
  /** Whether a person said so: then it must be there, and nowhere else is looked. */
  readonly isNamed: boolean
  /** The folder of its certificate, where it is known. */
  readonly certificates?: string
}

export function dockerPlaces(env: Environment, home: string, uid: number | undefined): DockerPlace[] {
  // A variable that is empty is as good as none.
  if (env.DOCKER_HOST) return [named(env.DOCKER_HOST, env, home)]
  // Without root, a daemon keeps its socket where its user may write.
  const own = env.XDG_RUNTIME_DIR || (uid === undefined ? undefined : `/run/user/${uid}`)
  const paths = [
    '/var/run/docker.sock',
    ...(own === undefined ? [] : [join(own, 'docker.sock')]),
    join(home, '.docker/run/docker.sock'),
    join(home, '.docker/desktop/docker.sock'),
  ]
  return paths.map((path) => ({ endpoint: `unix://${path}`, isNamed: false }))
}

/** As Docker's own programs read the same variables. */
function named(endpoint: string, env: Environment, home: string): DockerPlace {
  if (!env.DOCKER_TLS_VERIFY || !endpoint.startsWith('tcp://')) return { endpoint, isNamed: true }
  return { endpoint, isNamed: true, certificates: env.DOCKER_CERT_PATH || join(home, '.docker') }
}
