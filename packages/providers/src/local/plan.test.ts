import { Secret } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { Kit, type SpecInput } from '../contract/kit.ts'
import type { Desired } from '../desired.ts'
import { engineLabel, label } from '../labels.ts'
import { simulatedHarness } from '../testing/simulated-harness.ts'
import type { Places } from './places.ts'
import { processSpec, replicaRecord } from './plan.ts'
import type { ReplicaRecord } from './records.ts'

const kit = new Kit(await simulatedHarness())
const places: Places = { records: '/r', run: '/run', memory: '/memory' }
const user = { uid: 210_007, gid: 210_007 }

function planned(services: NonNullable<SpecInput['services']>, spec: SpecInput = {}) {
  const desired = kit.desired({ services, ...spec })
  const fresh = {
    engineId: 'e1',
    index: 1,
    createdAt: 'now',
    user,
    environment: { PATH: '/bin', LANG: 'C' },
    volumesIn: 'left',
  }
  const record = replicaRecord(desired, { ...fresh, portOf: (service, port) => service.length * 100 + port.length })
  return { desired, record, ofFirst: () => specOf(record, desired) }
}

function specOf(record: ReplicaRecord, desired: Desired) {
  const [service] = desired.services
  if (!service) throw new Error('there is a service')
  return processSpec(places, record, desired, service)
}

const web = { name: 'web', command: ['node', 'server.mjs'], args: ['--x'] }

describe('a replica as processes', () => {
  it('is a program with its arguments, in a folder of its own', () => {
    const spec = planned([web]).ofFirst()
    expect(spec).toMatchObject({
      id: 'e1.web',
      argv: ['node', 'server.mjs', '--x'],
      cwd: '/run/replicas/e1/services/web',
    })
    expect(spec).toMatchObject({ user, stopGraceMs: 2000, restart: { policy: 'always', maxPerHour: 20 } })
    expect(spec.labels).toMatchObject({ [engineLabel]: 'e1', [label.service]: 'web', [label.replica]: '1' })
  })

  it('starts where it is told: on the machine, or in a volume wherever that is', () => {
    expect(planned([{ ...web, workingDir: '/srv/app' }]).ofFirst().cwd).toBe('/srv/app')
    const volumes = [{ name: 'data', path: '/data' }]
    const inside = planned([{ ...web, volumes, workingDir: '/data/sub' }])
    expect(inside.ofFirst().cwd).toBe('/run/replicas/e1/services/web/data/sub')
  })

  it('is told its ports and those of its siblings, by the numbers that were found for it', () => {
    const ports = [
      { name: 'http', port: 80 },
      { name: 'my-admin', port: 81 },
    ]
    const api = { name: 'api', role: 'sidecar' as const, command: ['api'], ports: [{ name: 'http', port: 82 }] }
    expect(planned([{ ...web, ports }, api]).ofFirst().env).toMatchObject({
      PORT: '304',
      PORT_HTTP: '304',
      PORT_MY_ADMIN: '308',
      GANTRY_PORT_WEB_HTTP: '304',
      GANTRY_PORT_API_HTTP: '304',
    })
  })

  it('holds a port of the machine where it asks for one, and is told the address', () => {
    const ports = [{ name: 'http', port: 80, hostPort: 8080, bind: '0.0.0.0' }]
    const { record, ofFirst } = planned([{ ...web, ports }])
    expect(record.services[0]?.ports).toEqual([{ name: 'http', protocol: 'http', number: 8080, bind: '0.0.0.0' }])
    expect(ofFirst().env).toMatchObject({ PORT: '8080', GANTRY_BIND_HTTP: '0.0.0.0' })
  })

  it('is told where its volumes are, and below what its files lie', () => {
    const volumes = [
      { name: 'data', path: '/data', type: 'persistent' as const },
      { name: 'my-tmp', path: '/tmp', type: 'ephemeral' as const },
      { name: 'fast', path: '/fast', type: 'memory' as const },
      { name: 'host', path: '/host', type: 'host' as const, source: '/srv/shared' },
    ]
    expect(planned([{ ...web, volumes }]).ofFirst().env).toMatchObject({
      GANTRY_ROOT: '/run/replicas/e1/services/web',
      GANTRY_VOLUME_DATA: '/run/volumes/left/1/data',
      GANTRY_VOLUME_MY_TMP: '/run/replicas/e1/volumes/my-tmp',
      GANTRY_VOLUME_FAST: '/memory/e1/volumes/fast',
      GANTRY_VOLUME_HOST: '/srv/shared',
    })
  })

  it('lets the user have its way with what is usual, and with nothing that only we know', () => {
    const env = { PATH: '/mine', HOME: '/home', PORT: '1' }
    const ports = [{ name: 'http', port: 80 }]
    expect(planned([{ ...web, env, ports }]).ofFirst().env).toMatchObject({ ...env, LANG: 'C', PORT_HTTP: '304' })
  })

  it('has its secrets apart from its environment and from its record', () => {
    const { desired, record } = planned([{ ...web, secrets: [{ name: 's', key: 'k', env: 'TOKEN' }] }])
    const secrets = [{ name: 's', key: 'k', version: 1, value: new Secret('hush'), env: 'TOKEN' }]
    const told = { ...desired, services: desired.services.map((service) => ({ ...service, secrets })) }
    const spec = specOf(record, told)
    expect(spec.secretEnv?.TOKEN?.reveal()).toBe('hush')
    expect(spec.env.TOKEN).toBeUndefined()
    expect(JSON.stringify([record, spec])).not.toContain('hush')
  })

  it('runs an init once, whatever the policy of the others is', () => {
    const init = { name: 'init', role: 'init' as const, command: ['migrate'] }
    const { desired, record } = planned([init, web])
    expect(specOf(record, desired).restart).toEqual({ policy: 'never', maxPerHour: 0 })
  })

  it('has the limits it asks for, in whole units', () => {
    const resources = { cpu: '250m', memory: '64Mi', pids: 7 }
    expect(planned([{ ...web, resources }]).ofFirst().limits).toEqual({ cpuMillis: 250, memoryBytes: 2 ** 26, pids: 7 })
  })
})
