/** Images that are on the node before anybody asks: the test image, and the one that holds a pod's network. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Call } from '@gantry/core'
import { buildImage, imageArchive } from '../docker/image.ts'
import { layerOf } from '../docker/programs.ts'
import { pauseImage, testImage } from './configuration.ts'
import { type Inside, runInside } from './inside.ts'
import * as places from './places.ts'
import { debianOf } from './programs.ts'

/** Both are the same files; the second one sleeps for good, and is told nothing else. */
export async function importImages(folder: string, programs: string, inside: Inside, call: Call): Promise<void> {
  const layer = await readFile(layerOf(debianOf(programs)))
  const archives = {
    test: imageArchive(buildImage(layer, { Cmd: ['sleep', '1000000'] }), testImage),
    pause: imageArchive(buildImage(layer, { Entrypoint: ['/bin/sleep', '1000000000'] }), pauseImage),
  }
  for (const [name, archive] of Object.entries(archives)) {
    const file = join(folder, `${name}-image.tar`)
    await writeFile(file, archive)
    const ctr = join(debianOf(programs), 'usr', 'bin', 'ctr')
    const args = ['--address', places.containerdSocket(folder), '--namespace', 'k8s.io', 'images', 'import', file]
    // Where containerd itself is: it is told of folders by name.
    await runInside(inside, ctr, args, call)
    await rm(file)
  }
}
