import { inspect } from 'node:util'
import { Secret } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { entriesOf } from './place.ts'
import { planFiles } from './plan.ts'
import { configFile, secretFile } from './testing/held-files.ts'
import { fileMounts, filesVolume } from './volume.ts'

const toldByEnvironment = { name: 'api', key: 'token', version: 1, value: new Secret('told'), env: 'TOKEN' }

const services = [
  {
    name: 'web',
    configFiles: [configFile('/etc/app.yaml', 'a: secret-config', '0640')],
    secrets: [secretFile('/run/cert', 'secret-cert'), toldByEnvironment],
  },
  { name: 'db', configFiles: [], secrets: [secretFile('/run/cert', 'other-cert')] },
  { name: 'plain', configFiles: [], secrets: [] },
]

describe('the plan of files', () => {
  const files = planFiles(services)

  it('has each file of each service in a folder of its own, and nothing of what is told by environment', () => {
    expect(files.map(({ at, target, mode }) => [at, target, mode])).toEqual([
      ['web/0', '/etc/app.yaml', 0o640],
      ['web/1', '/run/cert', 0o400],
      ['db/0', '/run/cert', 0o400],
    ])
    expect(planFiles([{ name: 'plain', configFiles: [], secrets: [] }])).toEqual([])
  })

  it('shows no content, however it is printed', () => {
    for (const text of [inspect(files, { depth: 9, showHidden: true }), JSON.stringify(files)]) {
      expect(text).not.toMatch(/secret-config|secret-cert|other-cert/)
    }
  })

  it('binds a service its own files alone, read-only', () => {
    const volume = { Mountpoint: '/var/lib/volumes/x/_data' }
    expect(fileMounts(files, 'db', volume)).toEqual([
      { Type: 'bind', Source: '/var/lib/volumes/x/_data/db/0', Target: '/run/cert', ReadOnly: true },
    ])
    expect(fileMounts(files, 'plain', volume)).toEqual([])
  })

  it('asks for memory that has room for everything, by pages, and tells nothing of the content', () => {
    const large = planFiles([{ name: 'a', configFiles: [configFile('/a', 'x'.repeat(1_048_576))], secrets: [] }])
    const size = (of: typeof files): number =>
      Number(/size=(\d+)/.exec(filesVolume('v', {}, of).DriverOpts?.o ?? '')?.[1])
    expect(size(large)).toBeGreaterThan(1_048_576 + 65_536)
    expect(filesVolume('v', { a: 'b' }, files)).toMatchObject({
      Name: 'v',
      Driver: 'local',
      DriverOpts: { type: 'tmpfs' },
      Labels: { a: 'b' },
    })
  })

  it('writes the mark that all is there last, and knows whose each file is', () => {
    const owners = { web: { uid: 7, gid: 8 }, db: { uid: 9, gid: 10 } }
    const entries = entriesOf(files, owners)
    expect(entries.map(({ path, owner }) => [path, owner?.uid])).toEqual([
      ['web', undefined],
      ['db', undefined],
      ['web/0', 7],
      ['web/1', 7],
      ['db/0', 9],
      ['.filled', undefined],
    ])
    expect(() => entriesOf(files, { web: owners.web })).toThrow('Nobody said whose the files of service db are')
  })
})
