import { describe, expect, it } from 'vitest'
import { readAll } from '../contract/bytes.ts'
import type { Kit } from '../contract/kit.ts'
import type { Ref } from '../ref.ts'
import { type OnDocker, onDocker } from '../testing/on-docker.ts'

const http = [{ name: 'http', port: 8080 }]

const provisioned = (kit: Kit, ref: Ref) =>
  kit.provision(
    { services: [kit.service({ listens: 'http' }, { ports: http, healthCheck: { http: { port: 'http' } } })] },
    ref,
  )

/** Whether a service of the first gets an answer at this address. */
async function answers({ kit, harness }: OnDocker, engineId: string, address: string): Promise<boolean> {
  const argv = ['timeout', '5', 'wget', '-q', '-O', '/dev/null', `http://${address}:8080/`]
  const session = await harness.engine.exec?.(engineId, 'web', { argv }, kit.call)
  if (!session) throw new Error('commands can be run')
  await Promise.all([readAll(session.stdout), readAll(session.stderr)])
  const exit = await session.exit
  return exit.ended === 'exited' && exit.exitCode === 0
}

describe('the network of a tenant', { timeout: 240_000 }, () => {
  it('lets workloads find each other by name, any replica or one, and nobody of another tenant', (context) =>
    onDocker(context, async (on) => {
      const { kit } = on
      const [shop, till] = [kit.ref('shop'), kit.ref('till')]
      const stranger = { ...kit.ref('stranger'), tenant: 'elsewhere' }
      await provisioned(kit, shop)
      const [inside, outside] = await Promise.all([provisioned(kit, till), provisioned(kit, stranger)])
      const address =
        (await kit.status(shop)).endpoints.flatMap(({ dial }) => ('host' in dial ? [dial.host] : []))[0] ?? ''
      const from = (of: typeof inside, to: string) => answers(on, of.replicas[0]?.engineId ?? '', to)
      expect(await Promise.all(['shop', 'shop-0', address, 'web'].map((to) => from(inside, to)))).toEqual([
        true,
        true,
        true,
        true,
      ])
      expect(await Promise.all(['shop', 'shop-0', address].map((to) => from(outside, to)))).toEqual([
        false,
        false,
        false,
      ])
    }))
})
