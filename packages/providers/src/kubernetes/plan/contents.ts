/**
 * Pure: what services are told that is too much or too secret for a pod's own spec. Config files are ConfigMaps, secrets are
 * Secrets; as many of each as their size asks for, since a cluster takes a mebibyte at a time.
 */
import type { Desired, DesiredService } from '../../desired.ts'
import { contentName, contentVolume } from '../names.ts'

export type ContentKind = 'config' | 'secret'

export type ContentEntry = {
  readonly service: string
  /** In the object. Says nothing about what it is. */
  readonly key: string
  readonly text: string
  readonly env?: string
  readonly file?: { readonly path: string; readonly mode: number }
}

export type ContentPart = {
  readonly kind: ContentKind
  /** Of the object. */
  readonly name: string
  /** Of the volume in the pod. */
  readonly volume: string
  readonly entries: readonly ContentEntry[]
}

/** The most that values of one ConfigMap or Secret may be together. */
export const mostBytes = 1_048_576

/** A secret is for the service's own user alone, who has no business to change it. */
const secretMode = 0o400

export function contentParts(
  desired: Pick<Desired, 'services' | 'specHash'>,
  instance: string,
): readonly ContentPart[] {
  const parts = (kind: ContentKind, entries: readonly ContentEntry[]): ContentPart[] =>
    packed(entries).map((some, part) => ({
      kind,
      name: contentName(instance, kind, desired.specHash, part),
      volume: contentVolume(kind, part),
      entries: some,
    }))
  return [
    ...parts('config', desired.services.flatMap(configEntries)),
    ...parts('secret', desired.services.flatMap(secretEntries)),
  ]
}

function configEntries({ name: service, configFiles }: DesiredService): ContentEntry[] {
  return configFiles.map(({ name, path, mode, content }) => ({
    service,
    key: `${service}.${name}`,
    text: content,
    file: { path, mode: Number.parseInt(mode, 8) },
  }))
}

function secretEntries({ name: service, secrets }: DesiredService): ContentEntry[] {
  return secrets.map(({ value, env, file }, at) => ({
    service,
    key: `${service}.${at}`,
    text: value.reveal(),
    ...(env === undefined ? {} : { env }),
    ...(file === undefined ? {} : { file: { path: file, mode: secretMode } }),
  }))
}

/** In their order, each object as full as it may be. */
function packed(entries: readonly ContentEntry[]): ContentEntry[][] {
  const parts: ContentEntry[][] = []
  let room = 0
  for (const entry of entries) {
    const size = Buffer.byteLength(entry.text)
    const last = parts.at(-1)
    if (last && size <= room) {
      last.push(entry)
      room -= size
    } else {
      parts.push([entry])
      room = mostBytes - size
    }
  }
  return parts
}
