import { describe, expect, it } from 'vitest'
import { folderOf, readFolder, writesLines } from './source.ts'

const ref = { tenant: 'shop', workload: 'web', uid: 'u', slot: 'b' } as const

describe('what lines come from', () => {
  it.each(['web', 'deployment/web', 'monitoring.statefulset/db', 'job.batch/a.b', 'pod/system:x'])(
    'is told by the name of its folder: %s',
    (service) => {
      const folder = folderOf({ ref, engineId: 'e/1', index: 7, release: 'v1', service })
      expect(folder).not.toMatch(/[/:]/)
      expect(readFolder(folder)).toMatchObject({ service, slot: 'b', index: 7 })
    },
  )

  it.each<[string, boolean]>([
    ['web', true],
    ['deployment/web', true],
    ['deployment.apps/web', true],
    ['other.job/web', true],
    ['configmap/web', false],
    ['service/deployment', false],
    [`pod/${'a'.repeat(300)}`, false],
  ])('has lines, of what others wrote only where something runs: %s → %s', (service, writes) => {
    expect(writesLines(service)).toBe(writes)
  })
})
