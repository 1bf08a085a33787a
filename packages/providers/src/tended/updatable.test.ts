import { expect, it } from 'vitest'
import { Kit } from '../contract/kit.ts'
import { simulatedHarness } from '../testing/simulated-harness.ts'
import { updatable } from './updatable.ts'

it('lets the old replica give up a port of the machine before the new one comes', async () => {
  const kit = new Kit(await simulatedHarness())
  const web = { name: 'web', image: 'app:1' }
  const ports = [{ name: 'http', port: 80, hostPort: 8080 }]
  const held = kit.desired({ services: [{ ...web, ports }] })
  expect(updatable(held).update).toEqual({ type: 'rolling', maxSurge: 0, maxUnavailable: 1, minReadySeconds: 0 })
  const free = kit.desired({ services: [web] })
  expect(updatable(free)).toBe(free)
})
