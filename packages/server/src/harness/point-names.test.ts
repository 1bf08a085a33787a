import type { Status } from '@gantry/core'
import type { Command } from '@gantry/store'
import { describe, expect, it } from 'vitest'
import { fileName, writeName } from './point-names.ts'

const key = (kind: string) => ({ kind, tenant: 'shop', name: 'web' })
const status = (kind: string, fields: Status): Command => ({
  op: 'status',
  key: key(kind),
  status: fields,
  ifVersion: 1,
})

describe('the name of a point', () => {
  it.each<[string, Command[], string | undefined]>([
    ['what is made', [{ op: 'create', draft: { key: key('Release'), spec: {} } }], 'store create Release'],
    [
      'all that is written together, and how far it has come',
      [status('Rollout', { phase: 'progressing', step: 'fill' }), { op: 'delete', key: key('Instance') }],
      'store status Rollout phase=progressing step=fill + delete Instance',
    ],
    [
      'what is made and has begun at once',
      [{ op: 'create', draft: { key: key('Rollout'), spec: {}, status: { phase: 'progressing', step: 'update' } } }],
      'store create Rollout phase=progressing step=update',
    ],
    ['no kind that workloads do not depend on', [status('Provider', {})], undefined],
    ['a kind that is new', [status('Novelty', { step: 3 })], 'store status Novelty step=3'],
  ])('says %s', (_, commands, name) => {
    expect(writeName(commands)).toBe(name)
  })

  it('says which file, without what differs from run to run, and none of elsewhere', () => {
    const id = '7f1a2b3c-0000-4000-8000-1234567890ab-a-0-5c30d0fb'
    expect(fileName('rename', `/data/local/replicas/${id}.json`, ['/data/local'])).toBe('file rename replicas/….json')
    const volume = '/data/local/volumes/shop.web.a.3deadaa6'
    expect(fileName('rename', `${volume}.0.kept.json`, ['/data/local'])).toBe('file rename volumes/….kept.json')
    expect(fileName('rm', `${volume}/0/kept`, ['/data/local'])).toBe('file rm volumes/…/0/kept')
    expect(fileName('rename', '/data/logs/x', ['/data/local'])).toBeUndefined()
  })
})
