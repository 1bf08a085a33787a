import { Fault, kinds, Secret, systemClock } from '@gantry/core'
import { leaveAtOnce, type SecretSource } from '@gantry/providers'
import { describe, expect, it } from 'vitest'
import { dockerFactory } from './docker-factory.ts'
import type { EngineWish } from './engine-factories.ts'

const call = { signal: AbortSignal.timeout(900_000) }

/** Versions of one secret, each with its values; the newest is the last. */
function secretsOf(...versions: readonly Readonly<Record<string, string>>[]) {
  const asked: string[] = []
  const source: SecretSource = {
    async resolve({ tenant, name, key, version = versions.length }) {
      asked.push(`${tenant}/${name} ${key} v${version}`)
      const value = versions[version - 1]?.[key]
      if (value === undefined) throw new Fault('secret_not_found', `The secret "${name}" has no key "${key}"`)
      return { version, value: new Secret(value) }
    },
  }
  return { source, asked }
}

function wish(docker: object | undefined, secrets = secretsOf().source): EngineWish {
  const manifest = { apiVersion: 'gantry/v1', kind: 'Provider', metadata: { name: 'east' } }
  const { spec } = kinds.Provider.parse({ ...manifest, spec: { type: 'docker', ...(docker && { docker }) } })
  return { name: 'east', spec, installation: 'i', clock: systemClock, leaving: leaveAtOnce, secrets }
}

/** Nobody listens there. */
const endpoint = 'tcp://127.0.0.1:1'
const tls = { secret: 'certificate', tenant: 'ops' }

describe('the factory of Docker engines', () => {
  it('says that an engine cannot be reached, and that it may be later', async () => {
    const opening = dockerFactory()(wish({ endpoint }), call)
    await expect(opening).rejects.toMatchObject({ kind: 'unavailable', reason: 'engine_unreachable' })
  })

  it('takes all of a certificate from one version of its secret', async () => {
    const { source, asked } = secretsOf({ ca: 'old' }, { ca: 'c', cert: 'c', key: 'k' })
    await expect(dockerFactory()(wish({ endpoint, tls }, source), call)).rejects.toThrow()
    expect(asked).toEqual(['ops/certificate ca v2', 'ops/certificate cert v2', 'ops/certificate key v2'])
  })

  it.each([
    ['is not there', []],
    ['has no key', [{ ca: 'c', cert: 'c' }]],
  ])('says what a secret needs that %s', async (_, versions) => {
    const opening = dockerFactory()(wish({ endpoint, tls }, secretsOf(...versions).source), call)
    await expect(opening).rejects.toMatchObject({
      reason: 'secret_not_found',
      message: expect.stringContaining('It needs ca, cert, key in tenant "ops"'),
      issues: [{ path: 'spec.docker.tls.secret' }],
    })
  })

  it('says so where a certificate is no certificate at all', async () => {
    const { source } = secretsOf({ ca: 'c', cert: 'c', key: 'k' })
    const opening = dockerFactory()(wish({ endpoint, tls }, source), call)
    await expect(opening).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('The secret "certificate" of tenant "ops" is no certificate that can be used'),
      issues: [{ path: 'spec.docker.tls.secret' }],
    })
  })

  it('stops for the reason of whoever asked', async () => {
    const reason = new Error('gone')
    await expect(dockerFactory()(wish({ endpoint }), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})
