/** An image with the node that runs this, made of its own file and of what that has loaded: nothing is pulled for it. */
import { readFileSync } from 'node:fs'
import type { Call } from '@gantry/core'
import { buildImage, type DockerAddress, imageArchive, tar } from '@gantry/engines'
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
