/** The fields of a service that say what it may use, when it counts as well, and how it is found. */
import assert from 'node:assert/strict'
import type { ServiceSpec } from '@gantry/core'
import { after, at, type FieldProbe, httpPort, mebi, one } from './field-probe.ts'

export const plumbingProbes = {
  ports: {
    rows: ['shapes', 'facts'],
    needs: ['exec'],
    path: at('ports'),
    input: (kit) => ({
      services: [
        kit.service({ listens: 'http' }, { ports: [...httpPort, { name: 'my-admin', port: 9090, protocol: 'tcp' }] }),
      ],
    }),
    verify: after(async (kit) => {
      const { endpoints } = await kit.status()
      const found = endpoints.find(({ port }) => port === 'http')
      assert.ok(found)
      await kit.eventually('the port answers', () => kit.settle(kit.harness.dial(found)))
      assert.equal(endpoints.find(({ port }) => port === 'my-admin')?.protocol, 'tcp')
      assert.equal(await kit.env('PORT'), await kit.env('PORT_HTTP'))
      assert.match((await kit.env('PORT_MY_ADMIN')) ?? '', /^\d+$/)
      assert.equal(await kit.env('GANTRY_PORT_WEB_HTTP'), await kit.env('PORT'))
    }),
  },
  resources: {
    rows: ['shapes'],
    path: at('resources'),
    input: (kit) => one(kit, { resources: { cpu: '250m', memory: '64Mi' } }),
    verify: after(async (kit) => {
      const [limits] = (await kit.processes()).map((each) => each.limits)
      assert.deepEqual([limits?.cpuMillis, limits?.memoryBytes], [250, 64 * mebi])
    }),
  },
  requests: {
    path: at('requests'),
    input: (kit) => one(kit, { requests: { cpu: '50m', memory: '16Mi' } }),
    verify: after(async (kit) => {
      const [{ limits, requests } = { limits: {}, requests: {} }] = await kit.processes()
      assert.deepEqual(requests, { cpuMillis: 50, memoryBytes: 16 * mebi })
      assert.deepEqual([limits.cpuMillis, limits.memoryBytes], [undefined, undefined], 'what is set aside is no limit')
    }),
  },
  healthCheck: {
    needs: ['exec'],
    path: at('healthCheck'),
    input: (kit) => ({
      services: [
        kit.service(
          { healthyAfterMs: 800 },
          { healthCheck: { command: [...kit.harness.argv({ do: 'healthy' })], successThreshold: 1 } },
        ),
      ],
    }),
    async verify(kit, input) {
      const begun = kit.harness.clock.monotonic()
      await kit.provision(input)
      assert.ok(kit.harness.clock.monotonic() - begun >= 790, 'a command gates readiness')
    },
  },
  dependsOn: {
    rows: ['roles'],
    path: 'spec.services[1].dependsOn',
    input: (kit) => ({
      services: [
        kit.service(
          { listens: 'http', healthyAfterMs: 600 },
          { name: 'db', role: 'sidecar', ports: httpPort, healthCheck: { http: { port: 'http' } } },
        ),
        kit.service({}, { dependsOn: [{ service: 'db', until: 'healthy' }] }),
      ],
    }),
    verify: after(async (kit) => {
      const [db] = await kit.processes(kit.ref(), 'db')
      const [web] = await kit.processes(kit.ref(), 'web')
      assert.ok(db && web && web.startedAt - db.startedAt >= 550, 'web waited for db to be healthy')
    }),
  },
  annotations: {
    path: at('annotations'),
    input: (kit) => one(kit, { annotations: { 'example.com/note': 'a note', 'gantry.dev/uid': 'stolen' } }),
    verify: after(async (kit) => {
      const { objects } = await kit.harness.truth(kit.ref())
      const noted = objects.filter(({ labels }) => labels?.['example.com/note'] === 'a note')
      const labelled = objects.some(({ labels }) => labels !== undefined)
      assert.ok(noted.length > 0 || !labelled, 'some object carries it')
      assert.ok(
        objects.every(({ labels }) => labels?.['gantry.dev/uid'] !== 'stolen'),
        'our own keys win',
      )
    }),
  },
} as const satisfies Partial<Record<keyof ServiceSpec, FieldProbe>>
