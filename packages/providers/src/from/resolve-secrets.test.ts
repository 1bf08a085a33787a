import { inspect } from 'node:util'
import { isFault, workloadKind } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { testSecrets } from '../contract/secrets.ts'
import { resolveSecrets } from './resolve-secrets.ts'

const call = { signal: new AbortController().signal }

const { services } = workloadKind.parse({
  apiVersion: 'gantry/v1',
  kind: 'Workload',
  metadata: { name: 'web' },
  spec: {
    services: [
      {
        name: 'web',
        image: 'app:1',
        imagePullSecret: 'registry',
        secrets: [
          { name: 'db', key: 'url', env: 'URL' },
          { name: 'db', key: 'cert', file: '/run/cert' },
        ],
      },
    ],
  },
}).spec

function vault() {
  const secrets = testSecrets()
  secrets.put('db', { url: 'url one', cert: 'cert one' })
  secrets.put('registry', { username: 'me', password: 'sesame' })
  return secrets
}

describe('resolving secrets', () => {
  it('reads the newest, and names the version of each', async () => {
    const secrets = vault()
    secrets.put('db', { url: 'url two', cert: 'cert two' })
    const { services: [web] = [], versions } = await resolveSecrets(secrets, 't', services, {}, call)
    expect(versions).toEqual({ db: 2, registry: 1 })
    expect(web?.secrets.map(({ value, env, file }) => [value.reveal(), env ?? file])).toEqual([
      ['url two', 'URL'],
      ['cert two', '/run/cert'],
    ])
    expect(web?.imagePullSecret?.password.reveal()).toBe('sesame')
  })

  it('reads exactly the versions that a release names', async () => {
    const secrets = vault()
    secrets.put('db', { url: 'url two', cert: 'cert two' })
    const { services: [web] = [], versions } = await resolveSecrets(secrets, 't', services, { db: 1 }, call)
    expect(web?.secrets.map(({ value }) => value.reveal())).toEqual(['url one', 'cert one'])
    expect(versions).toEqual({ db: 1, registry: 1 })
  })

  it('gives all keys of a secret in one version, also if it changes in between', async () => {
    const secrets = vault()
    const changing = {
      async resolve(...args: Parameters<typeof secrets.resolve>) {
        const found = await secrets.resolve(...args)
        secrets.put('db', { url: 'url two', cert: 'cert two' })
        return found
      },
    }
    const { services: [web] = [] } = await resolveSecrets(changing, 't', services, {}, call)
    expect(web?.secrets.map(({ value }) => value.reveal())).toEqual(['url one', 'cert one'])
  })

  it('refuses what is not there', async () => {
    const work = resolveSecrets(testSecrets(), 't', services, {}, call)
    await expect(work).rejects.toSatisfy((error) => isFault(error, 'not_found'))
  })

  it('shows no value however it is printed', async () => {
    const { services: resolved } = await resolveSecrets(vault(), 't', services, {}, call)
    expect(JSON.stringify(resolved) + inspect(resolved, { depth: 9 })).not.toMatch(/url one|sesame/)
  })
})
