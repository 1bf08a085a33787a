/** Takes off a Docker Engine all that an installation of a test left there, and sees that it is gone. */
import { type Call, isFault, sleep, systemClock } from '@gantry/core'
import type { DockerApi } from '../docker/api/api.ts'
import { label } from '../labels.ts'
import { labelled } from './docker-truth.ts'

export async function clearDocker(docker: DockerApi, installation: string, call: Call): Promise<void> {
  const filters = labelled({ [label.installation]: installation })
  const containers = await docker.containers.list({ all: true, filters }, call)
  await Promise.all(containers.map(({ Id }) => clearContainer(docker, Id, call)))
  const [networks, volumes] = await Promise.all([
    docker.networks.list(filters, call),
    docker.volumes.list(filters, call),
  ])
  await Promise.all([
    ...networks.map(({ Id }) => docker.networks.remove(Id, call)),
    ...volumes.map(({ Name }) => docker.volumes.remove(Name, call)),
  ])
  const left = await docker.containers.list({ all: true, filters }, call)
  if (left.length > 0) throw new Error(`Something still makes containers: ${left.map(({ Names }) => Names[0]).join()}`)
}

const mostTries = 10
const againMs = 500

/** Asked again while the engine has not seen it end. */
async function clearContainer(docker: DockerApi, id: string, call: Call): Promise<void> {
  for (let time = 1; ; time += 1) {
    try {
      return await docker.containers.remove(id, { force: true, volumes: true }, call)
    } catch (error) {
      if (!isFault(error) || error.reason !== 'engine_busy' || time === mostTries) throw error
      await sleep(systemClock, againMs, call)
    }
  }
}

/** Under all of its names. */
export async function clearImage(docker: DockerApi, id: string, call: Call): Promise<void> {
  const found = await docker.images.inspect(id, call)
  for (const name of [...(found?.RepoTags ?? []), ...(found?.RepoDigests ?? [])]) await docker.images.remove(name, call)
  if (await docker.images.inspect(id, call)) throw new Error(`The image ${id} is still there`)
}
