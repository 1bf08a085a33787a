/** The rig's Docker Engine and registry, for all harnesses of one process: reached once, and let go when it ends. */
import { readFile } from 'node:fs/promises'
import { buildImage, type DockerAddress, engine, type ImageSettings, pushImage } from '@gantry/engines'
import type { DockerApi } from '../docker/api/api.ts'
import { connectDocker } from '../docker/api/connect.ts'
import { testedDocker } from './tested-docker.ts'

export type DockerRig = {
  readonly address: DockerAddress
  /** Past whatever is tested: to look, and to do what a person would do. */
  readonly docker: DockerApi
  /** What names of images in the registry begin with. */
  readonly registry: string
  /** Makes an image of busybox and these settings, in the registry and not on the engine. Answers its id. */
  push(reference: string, settings: ImageSettings): Promise<string>
}

const call = { signal: new AbortController().signal }
let known: Promise<DockerRig | { readonly missing: string }> | undefined

/** Or why there is none. */
export function dockerRig(): Promise<DockerRig | { readonly missing: string }> {
  known ??= reach()
  return known
}

async function reach(): Promise<DockerRig | { readonly missing: string }> {
  const [docker, registry] = await Promise.all([engine(testedDocker, call), engine('registry', call)])
  if (docker.state === 'missing') return { missing: docker.why }
  if (registry.state === 'missing') return { missing: registry.why }
  const { address } = docker
  const layer = await readFile(address.layer)
  return {
    address,
    docker: await connectDocker({ socket: address.socket }, call),
    registry: registry.address.host,
    async push(reference, settings) {
      const image = buildImage(layer, settings)
      await pushImage(image, reference, call)
      return image.id
    },
  }
}
