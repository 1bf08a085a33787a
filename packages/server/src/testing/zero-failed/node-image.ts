/** An image with the node that runs this, made of its own file and of what that has loaded: nothing is pulled for it. */
import { readFileSync } from 'node:fs'
import type { Call } from '@gantry/core'
import { buildImage, type DockerAddress, engine, imageArchive, pushImage, tar } from '@gantry/engines'
import { connectDocker } from '@gantry/providers/docker'

export const nodeImage = `gantry-test/node:${process.versions.node}`

export async function loadNodeImage({ socket }: Pick<DockerAddress, 'socket'>, call: Call): Promise<void> {
  const docker = await connectDocker({ socket }, call)
  try {
    if (await docker.images.inspect(nodeImage, call)) return
    await docker.images.load(imageArchive(buildImage(nodeLayer(), {}), nodeImage), call)
  } finally {
    docker.close()
  }
}

/** For engines that can only pull: puts it into the rig's registry, and answers what it is called there. */
export async function pushNodeImage(call: Call): Promise<string> {
  const registry = await engine('registry', call)
  if (registry.state === 'missing') throw new Error(`there is no registry to pull from: ${registry.why}`)
  const { host } = registry.address
  const reference = `${host}/${nodeImage}`
  const [name, tag] = nodeImage.split(':')
  // Whoever came first has pushed it: it is the same for all, and large.
  const { ok } = await fetch(`http://${host}/v2/${name}/manifests/${tag}`, {
    headers: { accept: 'application/vnd.docker.distribution.manifest.v2+json' },
    signal: call.signal,
  })
  if (!ok) await pushImage(buildImage(nodeLayer(), {}), reference, call)
  return reference
}

/** Every file where the program looks for it, also where that is a link here. */
function nodeLayer(): Buffer {
  const { sharedObjects } = process.report.getReport() as { readonly sharedObjects: readonly string[] }
  const loaded = sharedObjects.filter((path) => path.startsWith('/') && !path.endsWith('.node'))
  return tar([
    { path: 'tmp', folder: true, mode: 0o1777 },
    { path: 'bin/node', content: readFileSync(process.execPath), mode: 0o755 },
    ...loaded.map((path) => ({ path: path.slice(1), content: readFileSync(path), mode: 0o755 })),
  ])
}
