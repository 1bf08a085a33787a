/** A process that serves one of the sides until it is told to end. */
import { serveBare } from './bare.ts'
import { serveOurs } from './ours.ts'
import { serveStoreless } from './storeless.ts'

export type Served = { readonly address: string; readonly token: string; close(): Promise<void> }

const sides = { ours: () => serveOurs(), storeless: serveStoreless, bare: serveBare } as const

export type Side = keyof typeof sides

const served = await sides[process.argv[2] as Side]()
process.send?.({ address: served.address, token: served.token })
process.once('message', async () => {
  await served.close()
  process.disconnect()
})
