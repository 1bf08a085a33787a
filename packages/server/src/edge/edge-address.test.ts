import { describe, expect, it } from 'vitest'
import { edgeAddress } from './open-routing.ts'

describe('the address of the edge that clients are told', () => {
  const database = 'sqlite::memory:'
  it.each([
    ['the usual one', { edge: 'process' }, 'http://127.0.0.1:7480'],
    ['where it listens', { edge: 'process', edgeListen: { host: '0.0.0.0', port: 80 } }, 'http://0.0.0.0:80'],
    ['in brackets', { edge: 'embedded', edgeListen: { host: '::1', port: 7480 } }, 'http://[::1]:7480'],
    ['unknown for a port that it chose', { edge: 'embedded', edgeListen: { host: '::1', port: 0 } }, undefined],
    ['none without an edge', { edge: false }, undefined],
  ] as const)('is %s', (_, options, expected) => {
    expect(edgeAddress({ database, providers: {}, ...options })).toBe(expected)
  })
})
