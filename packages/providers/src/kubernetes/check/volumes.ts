/** Pure: what a service finds in its folders, where that cannot be had. */
import type { Issue, VolumeSpec } from '@gantry/core'
import type { Desired, DesiredService } from '../../desired.ts'
import { isBelow } from '../../tended/is-below.ts'
import { persistentVolumes } from '../plan/claimed-volumes.ts'
import { mostBytes } from '../plan/contents.ts'
import type { PlanSettings } from '../plan/settings.ts'

export function volumeIssues({ volumes }: DesiredService, { hostFolders }: PlanSettings, path: string): Issue[] {
  return volumes.flatMap((volume, at) => {
    const each = `${path}.volumes[${at}]`
    return [...placeIssues(volume.path, `${each}.path`), ...hostIssues(volume, hostFolders, each)]
  })
}

/** A claim is one replica's alone, and its successor can have it only when that one has gone. */
export function surgeIssues(desired: Desired): Issue[] {
  const { type, update } = desired
  const [volume] = persistentVolumes(desired)
  if (!volume || type === 'stateful_set' || update.type === 'recreate' || update.maxSurge === 0) return []
  const ways = 'use type: stateful_set, or the strategy recreate, or rolling with maxSurge 0'
  const message = `runs two replicas for one for a while, and the volume "${volume.name}" is one replica's alone; ${ways}`
  return [{ path: 'spec.strategy', message }]
}

function hostIssues({ type, source }: VolumeSpec, hostFolders: readonly string[], path: string): Issue[] {
  if (type !== 'host' || hostFolders.some((folder) => isBelow(source ?? '', folder))) return []
  const those = hostFolders.length === 0 ? 'no folder' : `only what is below ${hostFolders.join(', ')}`
  const message = `${those} of the nodes may be given to services here; ask who runs the cluster, or use a persistent volume`
  return [{ path: `${path}.source`, message }]
}

export function fileIssues({ configFiles, secrets }: DesiredService, path: string): Issue[] {
  return [
    ...configFiles.flatMap((file, at) => [
      ...placeIssues(file.path, `${path}.configFiles[${at}].path`),
      ...sizeIssues(file.content, `${path}.configFiles[${at}].content`),
    ]),
    ...secrets.flatMap(({ file, value }, at) => [
      ...(file === undefined ? [] : placeIssues(file, `${path}.secrets[${at}].file`)),
      ...sizeIssues(value.reveal(), `${path}.secrets[${at}]`),
    ]),
  ]
}

const placeIssues = (place: string, path: string): Issue[] =>
  place.includes(':') ? [{ path, message: 'Kubernetes takes no place with a colon in it; choose another' }] : []

function sizeIssues(text: string, path: string): Issue[] {
  const size = Buffer.byteLength(text)
  if (size <= mostBytes) return []
  const message = `is ${size} bytes, and Kubernetes keeps ${mostBytes} at most of one; put it into the image or a volume`
  return [{ path, message }]
}
