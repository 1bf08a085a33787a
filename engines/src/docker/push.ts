/** Puts an image that was made in code into a registry, past any engine: none of them has it until it pulls. */
import { type Call, Fault } from '@gantry/core'
import { type BuiltImage, digestOf } from './image.ts'

const types = {
  manifest: 'application/vnd.docker.distribution.manifest.v2+json',
  config: 'application/vnd.docker.container.image.v1+json',
  layer: 'application/vnd.docker.image.rootfs.diff.tar',
} as const

/** `reference` is `host/name:tag`. Answers the digest that the tag now stands for. */
export async function pushImage(image: BuiltImage, reference: string, call: Call): Promise<string> {
  const [, host = '', name = '', tag = ''] = /^([^/]+)\/(.+):([^:/]+)$/.exec(reference) ?? []
  const root = `http://${host}/v2/${name}`
  await pushBlob(root, image.layer, call)
  await pushBlob(root, image.config, call)
  const part = (mediaType: string, bytes: Buffer) => ({ mediaType, size: bytes.length, digest: digestOf(bytes) })
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: types.manifest,
      config: part(types.config, image.config),
      layers: [part(types.layer, image.layer)],
    }),
  )
  await send('PUT', `${root}/manifests/${tag}`, { body: manifest, type: types.manifest }, call)
  return digestOf(manifest)
}

async function pushBlob(root: string, bytes: Buffer, call: Call): Promise<void> {
  const begun = await send('POST', `${root}/blobs/uploads/`, {}, call)
  const target = new URL(begun.headers.get('location') ?? '', root)
  target.searchParams.set('digest', digestOf(bytes))
  await send('PUT', target.href, { body: bytes, type: 'application/octet-stream' }, call)
}

async function send(
  method: string,
  url: string,
  { body, type }: { readonly body?: Buffer; readonly type?: string },
  { signal }: Call,
): Promise<Response> {
  const content = body ? { body: new Uint8Array(body) } : {}
  const answer = await fetch(url, {
    method,
    signal,
    ...content,
    ...(type ? { headers: { 'content-type': type } } : {}),
  })
  if (answer.ok) return answer
  throw new Fault(
    'engine_refused',
    `The registry answered ${answer.status} to ${method} ${url}: ${await answer.text()}`,
  )
}
