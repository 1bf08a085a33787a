/** Pure: the ConfigMaps and Secrets of an instance. Never changed once they are there: another spec has others. */
import { resources } from '../api/resources.ts'
import type { ConfigMap, SecretObject } from '../api/types/storage.ts'
import type { ContentPart } from './contents.ts'
import type { Labels } from './labels.ts'
import { type PlannedObject, planned } from './planned.ts'

export function contentObject(
  { kind, name, entries }: ContentPart,
  namespace: string,
  labels: Labels,
): PlannedObject<ConfigMap> | PlannedObject<SecretObject> {
  if (kind === 'config') {
    const data = Object.fromEntries(entries.map(({ key, text }) => [key, text]))
    return planned<ConfigMap>(resources.configMap, { namespace, name }, { labels }, { immutable: true, data })
  }
  const data = Object.fromEntries(entries.map(({ key, text }) => [key, base64(text)]))
  const rest = { type: 'Opaque', immutable: true, data } as const
  return planned<SecretObject>(resources.secret, { namespace, name }, { labels }, rest)
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64')
