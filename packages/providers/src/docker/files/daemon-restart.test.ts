import { randomUUID } from 'node:crypto'
import { type PrivateEngine, startPrivate } from '@gantry/engines'
import { afterEach, describe, expect, it } from 'vitest'
import { realDocker } from '../../testing/real-docker.ts'
import { type DockerName, testedDocker } from '../../testing/tested-docker.ts'
import { connectDocker } from '../api/connect.ts'
import type { CreateContainer } from '../api/types/containers.ts'
import { filesPlaced, placeFiles } from './place.ts'
import { emptyHolder, output, secretFile, serve } from './testing/held-files.ts'

const call = { signal: AbortSignal.timeout(900_000) }
const owners = { web: { uid: 0, gid: 0 } }
const services = [{ name: 'web', configFiles: [], secrets: [secretFile('/run/key', 'kept')] }]

describe('files of a replica when the engine is killed and started anew', () => {
  let engine: PrivateEngine<DockerName> | undefined
  afterEach(() => engine?.stop(call))

  it.for(['off', 'on'] as const)(
    'are there again for its services, with live-restore %s',
    async (liveRestore, { skip }) => {
      const shared = await realDocker()
      if ('missing' in shared) return skip(shared.missing)
      await shared.end()
      engine = await startPrivate(testedDocker, call, { liveRestore })
      const { socket, image } = engine.address
      const docker = await connectDocker({ socket }, call)
      const { containers } = docker
      const name = (what: string): string => `${what}-${randomUUID()}`
      const run = async (Cmd: readonly string[], settings: Partial<CreateContainer> = {}): Promise<string> => {
        const { Id } = await containers.create(name('run'), { Image: image, Cmd, ...settings }, call)
        await containers.start(Id, call)
        return Id
      }
      const real = { docker, labels: {}, name, run }
      const held = await emptyHolder(real, services)
      await placeFiles(docker, held.holder, held.files, owners, call)
      const id = await serve(real, held, 'web')

      await engine.restart('immediate', call)
      if (liveRestore === 'on') {
        // Whatever became of the volume: who has the file keeps it.
        expect((await output(real, id, 'cat /run/key')).text).toBe('kept')
      } else {
        expect((await containers.inspect(held.holder, call))?.State.Running).toBe(false)
        expect(await filesPlaced(docker, held.holder, call)).toBe(false)
      }
      // What the core does before it starts a service of a group.
      await containers.stop(id, 0, call)
      if (!(await filesPlaced(docker, held.holder, call))) {
        const early = placeFiles(docker, held.holder, held.files, owners, call)
        await expect(early).rejects.toMatchObject({ reason: 'service_not_running' })
        await containers.stop(held.holder, 60, call)
        await containers.start(held.holder, call)
        await placeFiles(docker, held.holder, held.files, owners, call)
      }
      await containers.start(id, call)
      expect((await output(real, id, 'cat /run/key')).text).toBe('kept')
      docker.close()
    },
  )
})
