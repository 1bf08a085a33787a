/** Volumes for claims: folders below the cluster's own, made when a claim asks and removed when its volume is released. */
import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Call } from '@gantry/core'
import { type Access, answerTo, make } from './ask.ts'
import { follow, type Named } from './follow.ts'
import { provisioner, storageClass } from './objects.ts'
import * as places from './places.ts'

export type Claim = Named & {
  readonly spec: {
    readonly accessModes?: readonly string[]
    readonly storageClassName?: string
    readonly volumeName?: string
    readonly resources?: { readonly requests?: { readonly storage?: string } }
  }
}

export type Volume = {
  readonly metadata: Named['metadata'] & { readonly annotations?: Readonly<Record<string, string>> }
  readonly status?: { readonly phase?: string }
}

const volumesPath = '/api/v1/persistentvolumes'
const claimsPath = '/api/v1/persistentvolumeclaims'
const by = 'pv.kubernetes.io/provisioned-by'

/** Until the API ends one of the watches. */
export async function provideStorage(folder: string, access: Access, call: Call): Promise<void> {
  const root = places.volumes(folder)
  const provide = async (claims: ReadonlyMap<string, Claim>): Promise<void> => {
    for (const claim of [...claims.values()].filter(isWaiting)) {
      const volume = volumeFor(claim, root)
      await mkdir(volume.spec.hostPath.path, { recursive: true })
      // For whatever user a container has.
      await chmod(volume.spec.hostPath.path, 0o777)
      await make(access, volumesPath, volume, call)
    }
  }
  const remove = async (volumes: ReadonlyMap<string, Volume>): Promise<void> => {
    for (const { metadata } of [...volumes.values()].filter(isReleased)) {
      await rm(join(root, metadata.name), { recursive: true, force: true })
      await answerTo(access, { method: 'DELETE', path: `${volumesPath}/${metadata.name}` }, call)
    }
  }
  await Promise.race([follow(access, claimsPath, provide, call), follow(access, volumesPath, remove, call)])
}

export function isWaiting({ spec }: Claim): boolean {
  return spec.storageClassName === storageClass && !spec.volumeName
}

export function isReleased({ metadata, status }: Volume): boolean {
  return metadata.annotations?.[by] === provisioner && status?.phase === 'Released'
}

/** Bound to the claim from the start, so that no other one gets it. */
export function volumeFor({ metadata, spec }: Claim, root: string) {
  const name = `pvc-${metadata.uid}`
  const { name: claim, namespace, uid } = metadata
  return {
    metadata: { name, annotations: { [by]: provisioner } },
    spec: {
      capacity: { storage: spec.resources?.requests?.storage ?? '1Gi' },
      accessModes: spec.accessModes ?? ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Delete',
      storageClassName: storageClass,
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name: claim, namespace, uid },
      hostPath: { path: join(root, name) },
    },
  }
}
