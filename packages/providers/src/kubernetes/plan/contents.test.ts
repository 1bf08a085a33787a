import { describe, expect, it } from 'vitest'
import type { ConfigMap, SecretObject } from '../api/types/storage.ts'
import { contentObject } from './content-objects.ts'
import { contentParts } from './contents.ts'
import { desiredOf, type ServiceInput, secretValue, web } from './testing/desired.ts'
import { mountsOf, volumesOf } from './volumes.ts'

const parts = (...services: readonly ServiceInput[]) => contentParts(desiredOf({ services: [...services] }), 'web-a-1')
const file = (name: string, content: string) => ({ name, path: `/etc/${name}`, content })

describe('what services are told', () => {
  const files: ServiceInput = {
    ...web,
    configFiles: [{ ...file('app', 'plain'), mode: '0640' }],
    secrets: [
      { name: 's', key: 'a', env: 'A' },
      { name: 's', key: 'b', file: '/run/b/' },
    ],
  }

  it('is in a ConfigMap where it is config, and in a Secret where it is secret', () => {
    const objects = parts(files).map((part) => contentObject(part, 'ns', { a: 'b' }))
    const [config, secret] = objects.map(({ body }) => body as ConfigMap | SecretObject)
    expect(config).toMatchObject({ kind: 'ConfigMap', immutable: true, data: { 'web.app': 'plain' } })
    expect(config?.metadata).toMatchObject({ namespace: 'ns', labels: { a: 'b' } })
    expect(secret).toMatchObject({ kind: 'Secret', type: 'Opaque', immutable: true })
    const read = Object.values(secret?.data ?? {}).map((text) => Buffer.from(text, 'base64').toString())
    expect(read).toEqual([secretValue({ name: 's', key: 'a' }), secretValue({ name: 's', key: 'b' })])
  })

  it('is mounted file by file, for reading only, into its own service', () => {
    const desired = desiredOf({ services: [files, { ...web, name: 'b', role: 'sidecar' }] })
    const all = contentParts(desired, 'web-a-1')
    const [first, second] = desired.services
    expect(first && mountsOf(first, all)).toEqual([
      { name: '0-config', mountPath: '/etc/app', subPath: 'web.app', readOnly: true },
      { name: '0-secret', mountPath: '/run/b', subPath: 'web.1', readOnly: true },
    ])
    expect(second && mountsOf(second, all)).toEqual([])
    expect(volumesOf(desired, all)).toEqual([
      {
        name: '0-config',
        configMap: { name: all[0]?.name, items: [{ key: 'web.app', path: 'web.app', mode: 0o640 }] },
      },
      { name: '0-secret', secret: { secretName: all[1]?.name, items: [{ key: 'web.1', path: 'web.1', mode: 0o400 }] } },
    ])
  })

  it('has no volume where it is told in the environment alone', () => {
    const service: ServiceInput = { ...web, secrets: [{ name: 's', key: 'a', env: 'A' }] }
    expect(volumesOf(desiredOf({ services: [service] }), parts(service))).toEqual([])
  })

  it('is in as many objects as a mebibyte each asks for', () => {
    const large = 'ü'.repeat(300_000)
    const some: ServiceInput = {
      ...web,
      configFiles: [file('a', large), file('b', 'small'), file('c', large), file('d', '')],
    }
    const all = parts(some)
    expect(all.map(({ entries }) => entries.map(({ key }) => key))).toEqual([
      ['web.a', 'web.b'],
      ['web.c', 'web.d'],
    ])
    expect(new Set(all.map(({ name }) => name)).size).toBe(2)
    expect(all.map(({ volume }) => volume)).toEqual(['0-config', '0-config-1'])
  })

  it('is another object for another spec, and the same for the same', () => {
    const [one] = parts(files)
    const [same] = parts(files)
    const [other] = parts({ ...files, env: { X: '1' } })
    expect([one?.name === same?.name, one?.name === other?.name]).toEqual([true, false])
  })
})

describe('volumes of a pod', () => {
  it('are as large as they may be, in memory or not, and each there once', () => {
    const volumes: ServiceInput['volumes'] = [
      { name: 'a', path: '/a/', size: '1Gi' },
      { name: 'b', path: '/b', type: 'memory', size: '1.5' },
      { name: 'c', path: '/c', type: 'host', source: '/srv/shared' },
      { name: 'd', path: '/d' },
    ]
    const desired = desiredOf({
      services: [
        { ...web, volumes },
        { ...web, name: 's', role: 'sidecar', volumes: [{ name: 'd', path: '/other' }] },
      ],
    })
    expect(volumesOf(desired, [])).toEqual([
      { name: 'a', emptyDir: { sizeLimit: '1Gi' } },
      { name: 'b', emptyDir: { medium: 'Memory', sizeLimit: '2' } },
      { name: 'c', hostPath: { path: '/srv/shared', type: 'Directory' } },
      { name: 'd', emptyDir: {} },
    ])
    const [first, second] = desired.services
    expect(first && mountsOf(first, []).map(({ mountPath }) => mountPath)).toEqual(['/a', '/b', '/c', '/d'])
    expect(second && mountsOf(second, [])).toEqual([{ name: 'd', mountPath: '/other' }])
  })
})
