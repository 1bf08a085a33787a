/** The fields of a service that say what it finds in its folders. */
import assert from 'node:assert/strict'
import type { ServiceSpec } from '@gantry/core'
import { after, at, type FieldProbe, one } from './field-probe.ts'

export const fileProbes = {
  volumes: {
    rows: ['shapes'],
    needs: ['exec'],
    path: at('volumes'),
    input: (kit) => {
      const volumes = [{ name: 'scratch', path: kit.path('scratch'), type: 'ephemeral' as const }]
      return { services: [kit.service({}, { volumes }), kit.service({}, { name: 'helper', role: 'sidecar', volumes })] }
    },
    verify: after(async (kit) => {
      await kit.write(kit.path('scratch/note'), 'for siblings')
      assert.equal(await kit.read(kit.path('scratch/note'), { service: 'helper' }), 'for siblings')
    }),
  },
  configFiles: {
    rows: ['shapes'],
    needs: ['exec'],
    path: at('configFiles'),
    input: (kit) =>
      one(kit, {
        configFiles: [
          { name: 'app', path: kit.path('conf/app.json'), format: 'json', content: '{"a": 1}', mode: '0440' },
          { name: 'text', path: kit.path('conf/app.txt'), content: 'ünï\nsecond line' },
        ],
      }),
    verify: after(async (kit) => {
      assert.equal(await kit.read(kit.path('conf/app.json')), '{"a": 1}')
      assert.equal(await kit.read(kit.path('conf/app.txt')), 'ünï\nsecond line')
      assert.equal((await kit.run({ do: 'mode', path: kit.path('conf/app.json') })).stdout.trim(), '440')
    }),
  },
  secrets: {
    rows: ['facts'],
    needs: ['exec'],
    path: at('secrets'),
    input(kit) {
      kit.harness.secrets.put('database', { url: 'postgres://u:p@db/x', cert: '---cert---\n' })
      const file = kit.path('secret/cert')
      return one(kit, {
        secrets: [
          { name: 'database', key: 'url', env: 'DATABASE_URL' },
          { name: 'database', key: 'cert', file },
        ],
      })
    },
    verify: after(async (kit) => {
      assert.equal(await kit.env('DATABASE_URL'), 'postgres://u:p@db/x')
      assert.equal(await kit.read(kit.path('secret/cert')), '---cert---\n')
      const shown = JSON.stringify([await kit.status(), await kit.harness.engine.look(kit.ref(), kit.call)])
      assert.equal(shown.includes('postgres://'), false, 'it is shown nowhere')
      assert.match((await kit.run({ do: 'mode', path: kit.path('secret/cert') })).stdout, /^4[04]0/)
    }),
  },
} as const satisfies Partial<Record<keyof ServiceSpec, FieldProbe>>
