/** A container of another installation under the name that one of ours would have. */
import type { Call } from '@gantry/core'
import { label, ownerLabels } from '../labels.ts'
import type { Ref } from '../ref.ts'
import type { DockerRig } from './docker-rig.ts'

export async function placeStranger(
  { docker, address }: DockerRig,
  { name, installation, ref }: { readonly name: string; readonly installation: string; readonly ref: Ref },
  call: Call,
): Promise<string> {
  const Labels = { ...ownerLabels(installation, ref), [label.replica]: '0', [label.service]: 'web' }
  const { Id } = await docker.containers.create(name, { Image: address.image, Labels }, call)
  await docker.containers.start(Id, call)
  return Id
}
