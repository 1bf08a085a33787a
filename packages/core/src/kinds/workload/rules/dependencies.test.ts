import { describe, expect, it } from 'vitest'
import { checkServices, checkSpec } from '../../../testing/check-workload.ts'

const init = (name: string, ...on: string[]) => ({ name, role: 'init', dependsOn: on.map((service) => ({ service })) })
const sidecar = (name: string, ...on: string[]) => ({ ...init(name, ...on), role: 'sidecar' })
const main = (name: string, ...on: string[]) => ({ ...init(name, ...on), role: 'main' })

describe('services that wait for services', () => {
  it.each<[string, object[]]>([
    ['main for init', [main('web', 'setup'), init('setup')]],
    ['sidecar for main', [main('web'), sidecar('log', 'web')]],
    ['main for sidecar', [main('web', 'proxy'), sidecar('proxy')]],
    ['init for init', [main('web'), init('one'), init('two', 'one')]],
    ['many for one', [main('web', 'a', 'b'), sidecar('a', 'c'), sidecar('b', 'c'), sidecar('c')]],
  ])('may: %s', (_, services) => {
    expect(checkServices(...services)).toEqual([])
  })

  it.each<[string, object[], [string, string | RegExp]]>([
    ['itself', [main('web', 'web')], ['services[0].dependsOn', 'waits for itself: web → web']],
    ['each other', [main('a', 'b'), sidecar('b', 'a')], ['services[0].dependsOn', 'waits for itself: a → b → a']],
    [
      'a circle further on',
      [main('a', 'b'), sidecar('b', 'c'), sidecar('c', 'd'), sidecar('d', 'b')],
      ['services[1].dependsOn', 'waits for itself: b → c → d → b'],
    ],
    [
      'init in a circle',
      [main('web'), init('x', 'y'), init('y', 'x')],
      ['services[1].dependsOn', 'waits for itself: x → y → x'],
    ],
    ['nobody', [main('web', 'db')], ['services[0].dependsOn[0].service', 'there is no service "db"; there are web']],
    [
      'a misspelt one',
      [main('web', 'migrat'), init('migrate')],
      ['services[0].dependsOn[0].service', 'there is no service "migrat"; did you mean "migrate"?'],
    ],
    [
      'main, as init',
      [main('web'), init('setup', 'web')],
      ['services[1].dependsOn[0].service', /starts after every init/],
    ],
    ['one twice', [main('web', 'a', 'a'), sidecar('a')], ['services[0].dependsOn[1].service', 'is there twice']],
  ])('may not wait for %s', (_, services, [path, message]) => {
    expect(checkServices(...services)).toEqual([
      [path, typeof message === 'string' ? message : expect.stringMatching(message)],
    ])
  })

  it.each([
    [
      'a sidecar to complete',
      { name: 'a', role: 'sidecar' },
      'completed',
      'only init services complete, and "a" is sidecar',
    ],
    ['init to start', { name: 'a', role: 'init' }, 'started', '"a" is an init service, which can only be completed'],
    [
      'init to be healthy',
      { name: 'a', role: 'init' },
      'healthy',
      '"a" is an init service, which can only be completed',
    ],
  ])('may not wait for %s', (_, other, until, message) => {
    const web = { name: 'web', dependsOn: [{ service: 'a', until }] }
    expect(checkServices(web, other)).toEqual([['services[0].dependsOn[0].until', message]])
  })

  it('are told about the circle beside everything else', () => {
    const paths = checkServices(main('a', 'b', 'x'), sidecar('b', 'a')).map(([path]) => path)
    expect(paths).toEqual(['services[0].dependsOn[1].service', 'services[0].dependsOn'])
  })
})

describe('a workload that waits for workloads', () => {
  it('names each of them once', () => {
    const dependsOn = [{ workload: 'db' }, { workload: 'queue' }, { workload: 'db' }]
    expect(checkSpec({ services: [{ name: 'web' }], dependsOn })).toEqual([['dependsOn[2].workload', 'is there twice']])
  })
})
