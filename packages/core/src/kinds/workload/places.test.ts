import { describe, expect, it } from 'vitest'
import { parseObjects } from '../parse-objects.ts'
import { resolveBelow, withPlaces } from './places.ts'

describe('where a service starts', () => {
  it.each([
    ['/srv/app', '.', '/srv/app'],
    ['/srv/app', '', '/srv/app'],
    ['/srv/app', 'bin', '/srv/app/bin'],
    ['/srv/app/', './bin//x/', '/srv/app/bin/x'],
    ['/srv/app', '../other', '/srv/other'],
    ['/srv', '../../..', '/'],
    ['/srv', '/opt', '/opt'],
  ])('in %s, %j is %s', (folder, path, place) => {
    expect(resolveBelow(folder, path)).toBe(place)
  })

  const text = (workingDir: string) =>
    `apiVersion: gantry/v1\nkind: Workload\nmetadata: {name: x}\nspec: {services: [{name: web, workingDir: ${workingDir}}]}`

  it('is resolved against the folder of the file, where one is told', () => {
    const [object] = parseObjects(text('bin'), { folder: '/srv' })
    expect(object?.spec).toMatchObject({ services: [{ workingDir: '/srv/bin' }] })
  })

  it('is resolved for the folders of the machine that are its volumes, too', () => {
    const service = { name: 'web', volumes: [{ name: 'a', type: 'host', source: './data' }, { name: 'b' }, 1] }
    expect(withPlaces({ kind: 'Workload', spec: { services: [service, 2] } }, '/srv')).toEqual({
      kind: 'Workload',
      spec: {
        services: [{ name: 'web', volumes: [{ name: 'a', type: 'host', source: '/srv/data' }, { name: 'b' }, 1] }, 2],
      },
    })
  })

  it('must be absolute where there is no file', () => {
    expect(() => parseObjects(text('bin'))).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ path: 'spec.services[0].workingDir', line: 4 })] }),
    )
  })

  it.each<[unknown]>([[null], [[]], [{ kind: 'Secret' }], [{ kind: 'Workload', spec: { services: 1 } }]])(
    'leaves %j to be refused by others',
    (document) => {
      expect(withPlaces(document, '/srv')).toBe(document)
    },
  )
})
