import { describe, expect, it } from 'vitest'
import { freeSubnet, parseInterfaces } from './network.ts'

const at = (address: string) => ({ name: 'eth0', address })

describe('the range of an instance', () => {
  it('is one that no interface has, looked for round and round', () => {
    expect(freeSubnet([], 192)).toBe(192)
    expect(freeSubnet([at('10.192.0.1'), at('10.193.9.9')], 192)).toBe(194)
    expect(freeSubnet([at('10.255.0.1')], 255)).toBe(192)
    expect(freeSubnet([at('10.19.2.1')], 192)).toBe(192)
  })

  it('is refused where all are taken', () => {
    const all = Array.from({ length: 64 }, (_, number) => at(`10.${192 + number}.0.1`))
    expect(() => freeSubnet(all, 200)).toThrow('taken on this machine')
  })

  it('is read from the listing of the system', () => {
    const text =
      '1: lo    inet 127.0.0.1/8 scope host lo\n5: gdtest    inet 10.250.0.1/24 scope global gdtest\\  forever\n'
    expect(parseInterfaces(text)).toEqual([
      { name: 'lo', address: '127.0.0.1' },
      { name: 'gdtest', address: '10.250.0.1' },
    ])
  })
})
