import { Resolver } from 'node:dns/promises'
import { describe, expect, it } from 'vitest'
import { type Known, lookUp } from './lookup.ts'
import { readQuery, writeReply } from './message.ts'
import { openNames } from './server.ts'

const named = (name: string) => ({ name, namespace: 'shop', uid: name })
const endpoint = (address: string, hostname: string, ready = true) => ({
  addresses: [address],
  hostname,
  conditions: { ready },
})
const slice = (service: string, endpoints: ReturnType<typeof endpoint>[]) => ({
  metadata: { ...named(`${service}-1`), labels: { 'kubernetes.io/service-name': service } },
  endpoints,
})

const known: Known = {
  services: [
    { metadata: named('web'), spec: { clusterIP: '10.0.0.9' } },
    { metadata: named('pods'), spec: { clusterIP: 'None' } },
    { metadata: named('all'), spec: { clusterIP: 'None', publishNotReadyAddresses: true } },
    { metadata: named('none'), spec: { clusterIP: 'None' } },
  ],
  slices: [
    slice('web', [endpoint('10.1.0.1', 'web-0')]),
    slice('pods', [endpoint('10.1.0.2', 'db-0'), endpoint('10.1.0.3', 'db-1', false)]),
    slice('all', [endpoint('10.1.0.4', 'q-0', false)]),
    { ...slice('none', []), endpoints: null },
  ],
}

describe('names of the cluster', () => {
  it.each([
    ['web.shop.svc.cluster.local', ['10.0.0.9']],
    ['web-0.web.shop.svc.cluster.local', ['10.1.0.1']],
    ['pods.shop.svc.cluster.local', ['10.1.0.2']],
    ['db-0.pods.shop.svc.cluster.local', ['10.1.0.2']],
    ['db-1.pods.shop.svc.cluster.local', undefined],
    ['q-0.all.shop.svc.cluster.local', ['10.1.0.4']],
    ['none.shop.svc.cluster.local', []],
    ['web.other.svc.cluster.local', undefined],
    ['shop.svc.cluster.local', undefined],
    ['a.b.web.shop.svc.cluster.local', undefined],
    ['example.com', undefined],
  ])('%s stands for %j', (name, addresses) => {
    expect(lookUp(name, known)).toEqual(addresses)
  })

  it('are asked for and answered in the words of the system', () => {
    const question = Buffer.concat([Buffer.from('\x03WEB\x04shop\0', 'latin1'), Buffer.from([0, 1, 0, 1])])
    const packet = Buffer.concat([Buffer.from([0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]), question])
    const query = readQuery(packet)
    expect(query).toMatchObject({ id: 0x1234, name: 'web.shop', type: 1 })
    if (!query) throw new Error('It was not read')
    const reply = writeReply(query, { code: 'ok', addresses: ['10.0.0.9'] })
    expect([...reply.subarray(-4)]).toEqual([10, 0, 0, 9])
    expect(readQuery(reply)).toBeUndefined()
    expect(readQuery(packet.subarray(0, 15))).toBeUndefined()
  })

  it('that nobody has are told to be absent', async () => {
    const names = await openNames('127.0.0.1', 0)
    const resolver = new Resolver()
    resolver.setServers([`127.0.0.1:${names.port}`])
    await expect(resolver.resolve4('web.shop.svc.cluster.local')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    names.close()
  })
})
