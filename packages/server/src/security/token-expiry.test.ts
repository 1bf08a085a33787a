import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import { startPlane } from '../testing/plane.ts'

const hourMs = 3_600_000

describe('a token that expires while it is in use', () => {
  it('is good until then and not a moment longer, for requests and for the watch that is open', async () => {
    const clock = new VirtualClock()
    const plane = await startPlane({ clock, limits: { recheckMs: 1000 } })
    try {
      const expiresAt = new Date(clock.now() + hourMs).toISOString()
      const { token } = await plane.client.tenant('default').tokens.create({ name: 'short', role: 'viewer', expiresAt })
      const ask = async () => (await plane.send('GET', '/v1/whoami', { token })).json.reason ?? 'in'
      const url = 'http://gantry.internal/v1/tenants/default/workloads?watch=true'
      const watch = await plane.fetch(url, { headers: { authorization: `Bearer ${token}` } })
      expect(watch.status).toBe(200)
      await clock.advance(hourMs - 1)
      expect(await ask()).toBe('in')
      await clock.advance(1)
      expect(await ask()).toBe('token_expired')
      await clock.advance(1000)
      expect(await watch.text()).toMatch(/event: fault\ndata: .*"reason":"token_expired"/)
    } finally {
      await plane.dispose()
    }
  })
})
