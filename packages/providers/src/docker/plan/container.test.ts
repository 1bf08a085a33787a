import { Secret } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { Kit, type SpecInput } from '../../contract/kit.ts'
import type { Desired } from '../../desired.ts'
import { engineLabel, label } from '../../labels.ts'
import { simulatedHarness } from '../../testing/simulated-harness.ts'
import { planFiles } from '../files/plan.ts'
import { holderContainer, holderName, type Placement, serviceContainer } from './container.ts'
import type { LimitName } from './limits.ts'
import { recordFrom, recordOf } from './record.ts'

const kit = new Kit(await simulatedHarness())
const all: ReadonlySet<LimitName> = new Set(['cpu', 'memory', 'pids', 'disk'])

function planned(services: NonNullable<SpecInput['services']>, spec: SpecInput = {}, enforces = all) {
  const desired = kit.desired({ services, ...spec })
  const record = recordOf(desired, 'e1', 1)
  const files = planFiles(desired.services)
  const filesVolume = files.length > 0 ? { Name: 'e1.files', Mountpoint: '/v/e1.files/_data' } : undefined
  const placement: Placement = { record, network: 'net', enforces, files, filesVolume }
  return { desired, record, placement, containers: containersOf(desired, placement) }
}

const containersOf = (desired: Desired, placement: Placement) =>
  desired.services.map((service) => serviceContainer(desired, service, 'sha256:abc', placement))

const web = { name: 'web', image: 'app:1' }
const side = { name: 'side', image: 'app:1', role: 'sidecar' as const }

describe('a replica of one service', () => {
  it('is one container that has the network itself, with a name that others find it by', () => {
    const { record, containers } = planned([web])
    expect(record.group).toBe(false)
    expect(containers[0]).toMatchObject({
      Image: 'sha256:abc',
      Hostname: 'web-1',
      StopTimeout: 2,
      HostConfig: { NetworkMode: 'net', ExtraHosts: ['web:127.0.0.1'], RestartPolicy: { Name: 'unless-stopped' } },
      NetworkingConfig: { EndpointsConfig: { net: { Aliases: ['web', 'web-1'] } } },
    })
  })

  it('has its own command in place of the entrypoint, and of the image what is not said', () => {
    const [bare] = planned([web]).containers
    expect([bare?.Entrypoint, bare?.Cmd, bare?.User, bare?.WorkingDir]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    const [said] = planned([{ ...web, command: ['a'], args: ['b', ''], user: 7, workingDir: '/w' }]).containers
    expect(said).toMatchObject({ Entrypoint: ['a'], Cmd: ['b', ''], User: '7', WorkingDir: '/w' })
  })

  it('leaves the health check to us, whatever the image has', () => {
    expect(planned([web]).containers[0]?.Healthcheck).toEqual({ Test: ['NONE'] })
  })

  it('is told its ports, and opens on the machine only those that ask for it', () => {
    const ports = [
      { name: 'http', port: 80, hostPort: 8080, bind: '0.0.0.0' },
      { name: 'dns', port: 53, protocol: 'udp' as const, hostPort: 5353 },
      { name: 'admin', port: 81 },
    ]
    const [container] = planned([{ ...web, ports }]).containers
    expect(container?.HostConfig?.PortBindings).toEqual({
      '80/tcp': [{ HostIp: '0.0.0.0', HostPort: '8080' }],
      '53/udp': [{ HostIp: '127.0.0.1', HostPort: '5353' }],
    })
    expect(container?.ExposedPorts).toEqual({ '80/tcp': {}, '53/udp': {} })
    expect(container?.Env).toEqual(expect.arrayContaining(['PORT=80', 'PORT_ADMIN=81', 'GANTRY_PORT_WEB_HTTP=80']))
  })

  it('has the limits that are asked for and can be kept, and no others', () => {
    const resources = { cpu: '250m', memory: '64Mi', pids: 9, disk: '1Gi' }
    const service = { ...web, resources: { ...resources, bestEffort: true }, requests: { cpu: '100m', memory: '32Mi' } }
    const mebi = 2 ** 20
    expect(planned([service]).containers[0]?.HostConfig).toMatchObject({
      NanoCpus: 250_000_000,
      CpuShares: 102,
      Memory: 64 * mebi,
      MemorySwap: 64 * mebi,
      MemoryReservation: 32 * mebi,
      PidsLimit: 9,
      StorageOpt: { size: String(1024 * mebi) },
    })
    const kept = planned([service], {}, new Set()).containers[0]?.HostConfig ?? {}
    expect(Object.keys(kept).filter((key) => /Cpus|Memory|Pids|Storage/.test(key))).toEqual([])
  })

  it('asks for graphics processors by number', () => {
    const [container] = planned([{ ...web, resources: { gpu: { count: 2 } } }]).containers
    expect(container?.HostConfig?.DeviceRequests).toEqual([{ Driver: 'nvidia', Count: 2, Capabilities: [['gpu']] }])
  })

  it('carries the user’s labels and annotations, and our own over them', () => {
    const { desired, placement } = planned([{ ...web, annotations: { note: 'n', 'gantry.dev/uid': 'stolen' } }])
    const [container] = containersOf({ ...desired, labels: { team: 'web', [label.slot]: 'stolen' } }, placement)
    expect(container?.Labels).toMatchObject({
      note: 'n',
      team: 'web',
      [label.uid]: desired.ref.uid,
      [label.slot]: 'a',
      [label.service]: 'web',
      [label.replica]: '1',
      [engineLabel]: 'e1',
    })
  })
})

describe('a replica of several services', () => {
  it('shares the network of a holder, which has the ports, and the names of all of them', () => {
    const ports = [{ name: 'http', port: 80, hostPort: 8080 }]
    const { desired, record, placement, containers } = planned([web, { ...side, ports }])
    const owner = `container:${holderName(record)}`
    expect(containers.map(({ HostConfig }) => HostConfig?.NetworkMode)).toEqual([owner, owner])
    expect(containers.flatMap(({ Hostname, ExposedPorts }) => [Hostname, ExposedPorts])).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    const holder = holderContainer(desired, 'pause', placement)
    expect(holder.HostConfig).toMatchObject({
      NetworkMode: 'net',
      ExtraHosts: ['web:127.0.0.1', 'side:127.0.0.1'],
      PortBindings: { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '8080' }] },
    })
    expect(holder.HostConfig).toMatchObject({
      CapDrop: ['ALL'],
      ReadonlyRootfs: true,
      SecurityOpt: ['no-new-privileges'],
      PidsLimit: 16,
    })
    expect(holder.Labels?.[label.role]).toBe('holder')
    expect(holder.Labels?.[label.service]).toBeUndefined()
  })

  it('starts nothing anew that is an init', () => {
    const { containers } = planned([web, { ...side, name: 'init', role: 'init' }])
    expect(containers.map(({ HostConfig }) => HostConfig?.RestartPolicy?.Name)).toEqual(['unless-stopped', 'no'])
  })

  it('mounts a volume in memory in the holder too, so that it outlives a restart of a service', () => {
    const volumes = [{ name: 'fast', path: '/fast', type: 'memory' as const, size: '4Mi' }]
    const { desired, placement } = planned([
      { ...web, volumes },
      { ...side, volumes },
    ])
    const mounts = holderContainer(desired, 'pause', placement).HostConfig?.Mounts
    expect(mounts).toEqual([{ Type: 'volume', Source: 'e1.volume.fast', Target: '/held/fast' }])
  })
})

describe('files of a replica', () => {
  const { desired, record, placement } = planned([
    { ...web, configFiles: [{ name: 'app', path: '/etc/app', content: 'hidden' }] },
  ])

  it('make a group of it, and are bound from memory, each for reading only', () => {
    expect(record).toMatchObject({ group: true, files: true })
    const [container] = containersOf(desired, placement)
    expect(container?.HostConfig?.Mounts).toEqual([
      { Type: 'bind', Source: '/v/e1.files/_data/web/0', Target: '/etc/app', ReadOnly: true },
    ])
  })

  it('are nowhere in what the daemon keeps', () => {
    const token = new Secret('also hidden')
    const services = desired.services.map((service) => ({
      ...service,
      secrets: [{ name: 's', key: 'k', version: 1, value: token, file: '/run/token' }],
    }))
    const told = { ...desired, services }
    const made = [
      ...containersOf(told, { ...placement, files: planFiles(services) }),
      holderContainer(told, 'p', placement),
    ]
    expect(JSON.stringify(made)).not.toContain('hidden')
  })
})

describe('the record of a replica', () => {
  it('is read from any of its containers as it was written', () => {
    const ports = [{ name: 'http', port: 80 }]
    const healthCheck = { http: { port: 'http', path: '/' } }
    const { desired, record, placement, containers } = planned([{ ...web, ports, healthCheck }, side])
    for (const { Labels } of [...containers, holderContainer(desired, 'p', placement)]) {
      expect(recordFrom(desired.installation, Labels ?? {})).toEqual(record)
    }
  })

  it('is nobody’s where the installation is another, and enough to be removed by where it is damaged', () => {
    const { desired, containers } = planned([web])
    const labels = containers[0]?.Labels ?? {}
    expect(recordFrom('another', labels)).toBeUndefined()
    const damaged = recordFrom(desired.installation, { ...labels, 'gantry.dev/record': '{' })
    expect(damaged).toMatchObject({ engineId: 'e1', index: 1, services: [{ name: 'web', role: 'main' }] })
  })
})
