import { systemClock } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import type { ClusterConfig } from './cluster-config.ts'
import { clusterFromText } from './resolve.ts'
import { writeKubeconfig } from './write-kubeconfig.ts'

const call = { signal: AbortSignal.timeout(900_000) }

const rows: readonly [string, ClusterConfig][] = [
  [
    'a token and an authority',
    {
      server: 'https://10.0.0.1:6443',
      ca: { text: 'CA' },
      tlsServerName: 'other',
      namespace: 'team',
      user: { name: 'gantry', token: { text: 't' } },
      origin: 'context gantry of x',
    },
  ],
  [
    'a certificate, for somebody else',
    {
      server: 'https://x',
      insecure: true,
      user: {
        name: 'gantry',
        certificate: { cert: { text: 'C' }, key: { text: 'K' } },
        impersonate: { user: 'o', uid: '1', groups: ['a'], extra: { b: ['c'] } },
      },
      origin: 'context gantry of x',
    },
  ],
  [
    'a name and a password',
    {
      server: 'https://x',
      user: { name: 'gantry', basic: { username: 'u', password: 'p' } },
      origin: 'context gantry of x',
    },
  ],
]

describe('a kubeconfig that is written', () => {
  it.each(rows)('is read as the same cluster: %s', async (_, config) => {
    const text = await writeKubeconfig(config, { clock: systemClock, env: {} }, call)
    expect(clusterFromText(text, { from: 'x' })).toEqual(config)
  })
})
