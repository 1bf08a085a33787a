import { describe, expect, it } from 'vitest'
import { completed, missingFrom, platformOf } from './complete.ts'

const lock = {
  lockfileVersion: 3,
  packages: {
    '': {},
    'node_modules/tool': {
      version: '1.2.0',
      dev: true,
      optionalDependencies: { '@tool/cli-linux-x64': '1.2.0', '@tool/cli-darwin-arm64': '1.2.0', nested: '^3.0.0' },
    },
    'node_modules/@tool/cli-linux-x64': { version: '1.2.0', integrity: 'sha512-x' },
    'node_modules/tool/node_modules/nested': { version: '3.1.0' },
  },
}

describe('a lock file made whole', () => {
  it('has the packages of other platforms that npm has left out, and nothing else new', () => {
    expect(missingFrom(lock).map(({ name }) => name)).toEqual(['@tool/cli-darwin-arm64'])
    const whole = completed(lock)
    expect(missingFrom(whole)).toEqual([])
    const added = { version: '1.2.0', cpu: ['arm64'], os: ['darwin'], dev: true, optional: true }
    expect(whole).toEqual({
      lockfileVersion: 3,
      packages: { ...lock.packages, 'node_modules/@tool/cli-darwin-arm64': added },
    })
  })

  it('keeps the order of npm, so that npm does not write it anew', () => {
    expect(Object.keys(completed(lock).packages)).toEqual([
      '',
      'node_modules/@tool/cli-darwin-arm64',
      'node_modules/@tool/cli-linux-x64',
      'node_modules/tool',
      'node_modules/tool/node_modules/nested',
    ])
  })

  it.each([
    ['@tool/cli-linux-x64-musl', { os: ['linux'], cpu: ['x64'], libc: ['musl'] }],
    ['@tool/binding-linux-arm-gnueabihf', { os: ['linux'], cpu: ['arm'], libc: ['glibc'] }],
    ['@tool/binding-wasm32-wasi', { cpu: ['wasm32'] }],
    ['fsevents', {}],
  ])('reads the platform from the name %s', (name, platform) => {
    expect(platformOf(name)).toEqual(platform)
  })
})
