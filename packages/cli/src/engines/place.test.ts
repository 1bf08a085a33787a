import { describe, expect, it } from 'vitest'
import { isThisMachine, placeOf } from './place.ts'

describe('the address of an engine', () => {
  it.each([
    ['unix:///var/run/docker.sock', { path: '/var/run/docker.sock' }],
    ['tcp://10.0.0.1', { host: '10.0.0.1', port: 2375 }],
    ['https://nomad.example:4646', { host: 'nomad.example', port: 4646 }],
    ['http://[::1]:4646', { host: '::1', port: 4646 }],
    ['ssh://me@there', undefined],
    ['nonsense', undefined],
  ])('%s is %j', (address, expected) => {
    expect(placeOf(address)).toEqual(expected)
  })
})

describe('a server', () => {
  it.each([
    ['http://127.0.0.1:7400', true],
    ['https://localhost:7400', true],
    ['http://[::1]:7400', true],
    ['https://gantry.example', false],
    ['https://127.evil.example', false],
    ['nonsense', false],
  ])('at %s is on this machine: %s', (server, isHere) => {
    expect(isThisMachine(server)).toBe(isHere)
  })
})
