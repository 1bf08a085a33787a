import { expect, it } from 'vitest'
import { readAll } from '../contract/bytes.ts'
import { dockerClient } from '../testing/docker-client.ts'
import { onDocker } from '../testing/on-docker.ts'

const mega = 1_000_000

it(
  'what an instance takes on the disk is what the client of Docker says of its containers and volumes',
  {
    timeout: 240_000,
  },
  (context) =>
    onDocker(context, async ({ kit, harness, rig }) => {
      const client = await dockerClient(rig.address)
      if ('missing' in client) return context.skip(client.missing)
      const volumes = [
        { name: 'data', path: '/data' },
        { name: 'passing', type: 'ephemeral' as const, path: '/passing' },
        { name: 'quick', type: 'memory' as const, size: '32Mi', path: '/quick' },
      ]
      const configFiles = [{ name: 'config', path: '/etc/app/config', content: 'x'.repeat(1000) }]
      await kit.provision({ type: 'stateful_set', services: [kit.service({}, { volumes, configFiles })] })
      for (const [folder, count] of [
        ['/data', 5],
        ['/passing', 3],
        ['/quick', 7],
        ['/var', 2],
      ] as const) {
        const argv = ['dd', 'if=/dev/zero', `of=${folder}/big`, 'bs=1000000', `count=${count}`]
        const session = await kit.provider.exec?.(kit.ref(), { argv }, kit.call)
        if (session) await readAll(session.stderr)
        expect(await session?.exit).toMatchObject({ exitCode: 0 })
      }
      const diskBytes = await kit.eventually('it is counted', async () => {
        return (await harness.engine.usage?.(kit.ref(), kit.call))?.diskBytes
      })
      const { objects } = await harness.truth(kit.ref())
      const ours = new Set(objects.map(({ id }) => id))
      const said: { Containers: { ID: string; Size: string }[]; Volumes: { Name: string; Size: string }[] } =
        JSON.parse((await client('system', 'df', '-v', '--format', '{{json .}}')).stdout)
      const isOurs = (id: string): boolean => [...ours].some((each) => each.startsWith(id))
      const sizes = [
        ...said.Containers.filter(({ ID }) => isOurs(ID)).map(({ Size }) => bytesIn(Size)),
        // What lies in memory takes none, whatever the engine counts.
        ...said.Volumes.filter(({ Name }) => ours.has(Name) && !/\.(files|volume\.quick)$/.test(Name)).map(({ Size }) =>
          bytesIn(Size),
        ),
      ]
      const all = sizes.reduce((sum, size) => sum + size, 0)
      expect(all).toBeGreaterThanOrEqual(10 * mega)
      expect(Math.abs(diskBytes - all)).toBeLessThan(0.02 * all)
    }),
)

/** As the client writes it: `5MB`, `2.1MB (virtual 6.4MB)`, `N/A` for what the engine does not count. */
function bytesIn(text: string): number {
  const [, number = '0', unit = 'B'] = /^([\d.]+)(B|kB|MB|GB)/.exec(text) ?? []
  return Number(number) * 1000 ** ['B', 'kB', 'MB', 'GB'].indexOf(unit)
}
