import { describe, expect, it } from 'vitest'
import { type DeployFlags, deployBody } from './changes.ts'

const services = [
  { name: 'proxy', role: 'sidecar' },
  { name: 'web', role: 'main' },
]
const none: DeployFlags = {
  image: [],
  env: [],
  service: undefined,
  strategy: undefined,
  message: undefined,
  retry: false,
}

describe('what the flags of a deploy change', () => {
  it.each<[string, Partial<DeployFlags>, object]>([
    ['nothing: the same again', {}, {}],
    ['the image of a service', { image: ['proxy=p:1'] }, { services: [{ name: 'proxy', image: 'p:1' }] }],
    [
      'the image of the main one',
      { image: ['w:1@sha256:00'] },
      { services: [{ name: 'web', image: 'w:1@sha256:00' }] },
    ],
    [
      'image and environment of the same, in one',
      { image: ['w:1'], env: ['A=1=2', 'B-', 'C='] },
      { services: [{ name: 'web', image: 'w:1', env: { A: '1=2', 'B-': '', C: '' } }] },
    ],
    [
      'the environment of another service',
      { env: ['A=1'], service: 'proxy' },
      { services: [{ name: 'proxy', env: { A: '1' } }] },
    ],
    ['strategy and message', { strategy: 'canary', message: 'why' }, { strategy: { type: 'canary' }, message: 'why' }],
  ])('%s', (_, flags, body) => {
    expect(deployBody({ ...none, ...flags }, services)).toEqual(body)
  })

  it.each<[Partial<DeployFlags>, RegExp]>([
    [{ image: ['wbe=x'] }, /no service "wbe"; did you mean "web"\?/],
    [{ image: ['web='] }, /write SERVICE=IMAGE/],
    [{ env: ['A'] }, /write KEY=VALUE, or KEY- to take it away/],
    [{ env: ['=1'] }, /write KEY=VALUE/],
    [{ service: 'web' }, /there is no --env/],
    [{ retry: true, image: ['x'] }, /--retry is the same again/],
  ])('%j is refused with what to write', (flags, message) => {
    expect(() => deployBody({ ...none, ...flags }, services)).toThrow(message)
  })

  it('is nothing for what others wrote, and what to do is said', () => {
    expect(() => deployBody({ ...none, image: ['app:2'] }, [])).toThrow(/no services: it is made of.*"gantry apply"/)
    expect(() => deployBody({ ...none, env: ['A=1'] }, [])).toThrow(/no services/)
    expect(deployBody({ ...none, retry: true }, [])).toEqual({})
  })
})
