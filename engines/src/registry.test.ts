import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { engine } from './api.ts'
import { ask } from './docker/ask.ts'
import { buildImage } from './docker/image.ts'
import { pushImage } from './docker/push.ts'

const signal = AbortSignal.timeout(300_000)

describe('the registry from the rig', () => {
  it('holds an image that was made in code, and Docker pulls the very same', async ({ skip }) => {
    const [registry, docker] = await Promise.all([engine('registry', { signal }), engine('docker', { signal })])
    if (registry.state === 'missing') return skip(registry.why)
    if (docker.state === 'missing') return skip(docker.why)
    const image = buildImage(readFileSync(docker.address.layer), { Cmd: ['echo', 'hello'], Labels: { of: 'a-test' } })
    const name = `${registry.address.host}/rig/hello`
    const digest = await pushImage(image, `${name}:1`, { signal })
    const { socket } = docker.address
    const pull = { method: 'POST', path: `/images/create?fromImage=${encodeURIComponent(name)}&tag=1` } as const
    expect(await ask(socket, pull, { signal })).toContain(digest)
    const found = JSON.parse(await ask(socket, { method: 'GET', path: `/images/${name}:1/json` }, { signal }))
    expect(found).toMatchObject({
      Id: image.id,
      RepoDigests: [`${name}@${digest}`],
      Config: { Cmd: ['echo', 'hello'] },
    })
  })
})
