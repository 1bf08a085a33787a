/** The rig's Docker Engine for a test file: shared with others, so everything made for a test carries its label. */
import { randomInt, randomUUID } from 'node:crypto'
import { type DockerAddress, engine } from '@gantry/engines'
import type { DockerApi } from '../docker/api/api.ts'
import { connectDocker } from '../docker/api/connect.ts'
import type { CreateContainer } from '../docker/api/types/containers.ts'
import { type DockerName, testedDocker } from './tested-docker.ts'

export type RealDocker = {
  readonly docker: DockerApi
  readonly address: DockerAddress
  /** `name=value`, on everything that is removed at the end. */
  readonly label: string
  readonly labels: Readonly<Record<string, string>>
  /** A name that nobody else has. */
  name(what: string): string
  /** A range of addresses that no network of the engine has. */
  freeSubnet(): Promise<string>
  /** A running container of the test image. */
  run(cmd: readonly string[], settings?: Partial<CreateContainer>): Promise<string>
  /** Removes containers first, then networks and volumes, and lets the engine go. */
  end(): Promise<void>
}

const signal = AbortSignal.timeout(15 * 60_000)

/** Or why there is none. */
export async function realDocker(which: DockerName = testedDocker): Promise<RealDocker | { readonly missing: string }> {
  const found = await engine(which, { signal })
  if (found.state === 'missing') return { missing: found.why }
  const { address, release } = found
  const docker = await connectDocker({ socket: address.socket }, { signal })
  const id = randomUUID().slice(0, 8)
  const labels = { 'gantry.test/run': id }
  const label = `gantry.test/run=${id}`
  const name = (what: string): string => `${what}-${id}-${randomUUID().slice(0, 4)}`
  return {
    docker,
    address,
    label,
    labels,
    name,
    async freeSubnet() {
      const networks = await docker.networks.list({}, { signal })
      const taken = new Set(networks.flatMap(({ IPAM }) => (IPAM.Config ?? []).map(({ Subnet }) => Subnet)))
      const all = Array.from({ length: 128 }, (_, at) => address.subnets.replace('.128.0/17', `.${128 + at}.0/24`))
      const free = all.filter((subnet) => !taken.has(subnet))
      // Not always the first: two test files may look at the same time.
      const chosen = free[randomInt(free.length)]
      if (chosen === undefined) throw new Error('All ranges of addresses of the engine are taken')
      return chosen
    },
    async run(Cmd, settings = {}) {
      const all = { Image: address.image, Cmd, Labels: labels, ...settings }
      const { Id } = await docker.containers.create(name('run'), all, { signal })
      await docker.containers.start(Id, { signal })
      return Id
    },
    async end() {
      const filters = { label: [label] }
      for (const { Id } of await docker.containers.list({ all: true, filters }, { signal })) {
        await docker.containers.remove(Id, { force: true, volumes: true }, { signal })
      }
      for (const { Id } of await docker.networks.list(filters, { signal })) await docker.networks.remove(Id, { signal })
      for (const { Name } of await docker.volumes.list(filters, { signal }))
        await docker.volumes.remove(Name, { signal })
      docker.close()
      release()
    },
  }
}
