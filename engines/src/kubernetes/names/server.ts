/** Names of Services for pods: as in every cluster, by a server that pods ask over UDP. */
import { createSocket, type Socket } from 'node:dgram'
import { type Call, Fault } from '@gantry/core'
import type { Access } from '../ask.ts'
import { follow } from '../follow.ts'
import { type Known, lookUp, type Service, type Slice } from './lookup.ts'
import { readQuery, writeReply } from './message.ts'

export type Names = {
  readonly port: number
  /** Keeps what it knows up to date, until the API ends one of the watches. */
  learn(access: Access, call: Call): Promise<void>
  close(): void
}

const addressType = 1
const slicesPath = '/apis/discovery.k8s.io/v1/endpointslices'

export async function openNames(host: string, port: number): Promise<Names> {
  let services: ReadonlyMap<string, Service> = new Map()
  let slices: ReadonlyMap<string, Slice> = new Map()
  const setServices = (all: ReadonlyMap<string, Service>): void => {
    services = all
  }
  const setSlices = (all: ReadonlyMap<string, Slice>): void => {
    slices = all
  }
  const known = (): Known => ({ services: services.values(), slices: slices.values() })
  const socket = await listen(host, port)
  // An answer that does not arrive is asked for again.
  socket.on('error', (error) => console.log(`names: ${error.message}`))
  socket.on('message', (packet, from) => {
    const query = readQuery(packet)
    if (!query) return
    const found = lookUp(query.name, known())
    const addresses = query.type === addressType ? (found ?? []) : []
    socket.send(writeReply(query, { code: found ? 'ok' : 'absent', addresses }), from.port, from.address)
  })
  return {
    port: socket.address().port,
    async learn(access, call) {
      const ofServices = follow<Service>(access, '/api/v1/services', setServices, call)
      await Promise.race([ofServices, follow<Slice>(access, slicesPath, setSlices, call)])
    },
    close: () => socket.close(),
  }
}

function listen(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // A start that fails after this leaves nothing that would keep the process.
    const socket = createSocket('udp4').unref()
    socket.once('error', (cause) =>
      reject(new Fault('engine_refused', `Cannot listen at ${host}:${port}: ${cause.message}`, { cause })),
    )
    socket.bind(port, host, () => resolve(socket))
  })
}
