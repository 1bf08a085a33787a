/** An image of several layers, each over the one before, as an engine loads it. */
import { createHash } from 'node:crypto'
import { arch } from 'node:os'
import { tarArchive } from '../../../tar/write.ts'

export function layeredImage(layers: readonly Buffer[], reference: string): Buffer {
  const config = Buffer.from(
    JSON.stringify({
      architecture: arch() === 'x64' ? 'amd64' : arch(),
      os: 'linux',
      config: { Env: ['PATH=/bin'], Cmd: ['sleep', '1000'] },
      rootfs: { type: 'layers', diff_ids: layers.map((layer) => `sha256:${hashOf(layer)}`) },
    }),
  )
  const configFile = `${hashOf(config)}.json`
  const files = layers.map((content, at) => ({ path: `layer-${at}.tar`, content }))
  const manifest = [{ Config: configFile, RepoTags: [reference], Layers: files.map(({ path }) => path) }]
  const all = [
    ...files,
    { path: configFile, content: config },
    { path: 'manifest.json', content: Buffer.from(JSON.stringify(manifest)) },
  ]
  return tarArchive(all.map((file) => ({ mode: 0o444, ...file })))
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
