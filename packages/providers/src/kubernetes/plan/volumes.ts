/** Pure: the volumes of a pod, and how its services see them. Persistent ones come by the templates of claims. */
import type { VolumeSpec } from '@gantry/core'
import type { Desired, DesiredService } from '../../desired.ts'
import type { Volume, VolumeMount } from '../api/types/pods.ts'
import { wholeBytes } from './claimed-volumes.ts'
import type { ContentPart } from './contents.ts'

export function volumesOf({ services }: Pick<Desired, 'services'>, parts: readonly ContentPart[]): readonly Volume[] {
  const named = new Map(services.flatMap(({ volumes }) => volumes).map((volume) => [volume.name, volume]))
  return [...[...named.values()].flatMap(passing), ...parts.flatMap(contents)]
}

export function mountsOf({ name, volumes }: DesiredService, parts: readonly ContentPart[]): readonly VolumeMount[] {
  const files = parts.flatMap(({ volume, entries }) =>
    entries.flatMap(({ service, key, file }) =>
      service === name && file !== undefined
        ? [{ name: volume, mountPath: plain(file.path), subPath: key, readOnly: true }]
        : [],
    ),
  )
  return [...volumes.map((volume) => ({ name: volume.name, mountPath: plain(volume.path) })), ...files]
}

function passing({ name, type, size, source }: VolumeSpec): Volume[] {
  const limit = size === undefined ? {} : { sizeLimit: wholeBytes(size) }
  switch (type) {
    case 'ephemeral':
      return [{ name, emptyDir: limit }]
    case 'memory':
      return [{ name, emptyDir: { medium: 'Memory', ...limit } }]
    case 'host':
      return [{ name, hostPath: { path: source ?? '', type: 'Directory' } }]
    case 'persistent':
      return []
    default:
      return type satisfies never
  }
}

function contents({ kind, name, volume, entries }: ContentPart): Volume[] {
  const items = entries.flatMap(({ key, file }) => (file ? [{ key, path: key, mode: file.mode }] : []))
  if (items.length === 0) return []
  return [
    kind === 'config'
      ? { name: volume, configMap: { name, items } }
      : { name: volume, secret: { secretName: name, items } },
  ]
}

/** A place is the same with and without the slash at its end. */
const plain = (path: string): string => path.replace(/\/$/, '')
