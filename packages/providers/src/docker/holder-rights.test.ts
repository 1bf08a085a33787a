import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { label } from '../labels.ts'
import { containersOf, labelled } from '../testing/docker-truth.ts'
import { limitsOf } from '../testing/kernel.ts'
import { onDocker } from '../testing/on-docker.ts'

it(
  'a holder may do nothing, and its group has its files, its memory and its names all the same',
  {
    timeout: 240_000,
  },
  (context) =>
    onDocker(context, async ({ kit, harness, rig }) => {
      const configFiles = [{ name: 'config', path: '/etc/app/config', content: 'as it was told' }]
      const volumes = [{ name: 'quick', type: 'memory' as const, size: '8Mi', path: '/quick' }]
      const ports = [{ name: 'http', port: 8080 }]
      await kit.provision({
        services: [
          kit.service({}, { configFiles, volumes }),
          kit.service({ listens: 'http' }, { name: 'api', role: 'sidecar', ports }),
        ],
      })
      const found = await containersOf(rig.docker, labelled({ [label.installation]: harness.installation }), kit.call)
      const holder = found.find(({ Config }) => Config.Labels?.[label.role] === 'holder')
      const pid = holder?.State.Pid ?? 0
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      for (const set of ['CapPrm', 'CapEff', 'CapBnd']) expect(status).toMatch(new RegExp(`^${set}:\\s*0+$`, 'm'))
      expect(status).toMatch(/^NoNewPrivs:\s*1$/m)
      expect(readFileSync(`/proc/${pid}/mounts`, 'utf8')).toMatch(/^\S+ \/ \S+ ro,/m)
      expect(limitsOf(pid)).toMatchObject({ memoryBytes: 16 * 2 ** 20, pids: 16 })

      expect(await kit.read('/etc/app/config', { service: 'web' })).toBe('as it was told')
      await kit.write('/quick/note', 'kept', { service: 'web' })
      await kit.eventually('siblings reach each other by name', async () => {
        const reached = await kit.run({ do: 'reach', service: 'api', port: 'http', number: 8080 }, { service: 'web' })
        return reached.code === 0
      })
      const [replica] = (await harness.engine.look(kit.ref(), kit.call))?.replicas ?? []
      await harness.crash(replica?.engineId ?? '', 'web')
      expect(
        await kit.eventually('it runs again', () => kit.read('/quick/note', { service: 'web' }).catch(() => undefined)),
      ).toBe('kept')
    }),
)
