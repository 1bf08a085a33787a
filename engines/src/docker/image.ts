/** Images made in code: the same files and settings are the same image, with the same id, on every machine. */
import { createHash } from 'node:crypto'
import { arch } from 'node:os'
import { tar } from '../tar.ts'

/** What a container of the image starts with unless it says otherwise: the engine's own words. */
export type ImageSettings = {
  readonly Cmd?: readonly string[]
  readonly Entrypoint?: readonly string[]
  readonly Env?: readonly string[]
  readonly Labels?: Readonly<Record<string, string>>
  readonly User?: string
  readonly WorkingDir?: string
}

export type BuiltImage = {
  /** `sha256:…`, as the engine shows it. */
  readonly id: string
  readonly config: Buffer
  /** A tar archive. */
  readonly layer: Buffer
  readonly layerDigest: string
}

export function buildImage(layer: Buffer, settings: ImageSettings): BuiltImage {
  const layerDigest = digestOf(layer)
  const config = Buffer.from(
    JSON.stringify({
      architecture: arch() === 'x64' ? 'amd64' : arch(),
      os: 'linux',
      created: '2020-01-01T00:00:00Z',
      config: { Env: ['PATH=/bin'], ...settings },
      rootfs: { type: 'layers', diff_ids: [layerDigest] },
      history: [{ created: '2020-01-01T00:00:00Z', created_by: 'gantry' }],
    }),
  )
  return { id: digestOf(config), config, layer, layerDigest }
}

/** For `POST /images/load`. */
export function imageArchive({ id, config, layer }: BuiltImage, reference: string): Buffer {
  const configFile = `${id.slice('sha256:'.length)}.json`
  const manifest = [{ Config: configFile, RepoTags: [reference], Layers: ['layer.tar'] }]
  return tar([
    { path: configFile, content: config },
    { path: 'layer.tar', content: layer },
    { path: 'manifest.json', content: JSON.stringify(manifest) },
  ])
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}
