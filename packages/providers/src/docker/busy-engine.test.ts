import { describe, expect, it } from 'vitest'
import { overlay } from '../overlay.ts'
import { dockerRig } from '../testing/docker-rig.ts'
import { onRig } from '../testing/on-docker.ts'
import type { DockerApi } from './api/api.ts'
import { faultOf } from './api/faults.ts'

const timeout = 240_000

/** The first that wants a container removed is answered as a daemon answers that has not seen it end in time. */
function late(docker: DockerApi) {
  const begun = new Set<string>()
  const remove: DockerApi['containers']['remove'] = async (id, options, call) => {
    if (begun.has(id)) return await docker.containers.remove(id, options, call)
    begun.add(id)
    const said = `Could not kill running container ${id}, cannot remove - tried to kill container, but did not receive an exit event`
    throw faultOf({ method: 'DELETE', path: `/containers/${id}`, status: 500, body: JSON.stringify({ message: said }) })
  }
  return { begun, api: overlay(docker, { containers: overlay(docker.containers, { remove }) }) }
}

describe('a daemon that is too busy to see a container end in time', { timeout }, () => {
  it('is asked again, by who replaces and by who removes', async ({ skip }) => {
    const rig = await dockerRig()
    if ('missing' in rig) return skip(rig.missing)
    const { begun, api } = late(rig.docker)
    await onRig(
      rig,
      async ({ kit }) => {
        await kit.provision()
        await kit.provision({ services: [kit.service({}, { env: { ANOTHER: 'release' } })] })
        expect(await kit.status()).toMatchObject({ state: 'running', ready: true, replicas: { there: 1 } })
        expect(begun.size).toBe(1)
        await kit.gone()
        expect(begun.size).toBe(2)
        await kit.assertUntouched()
      },
      { api },
    )
  })
})
