/** A process that serves one of the sides until it is told to end. */
import { openApi } from '../api-load.ts'
import { serveBare } from './bare.ts'
import { answeredFor } from './storeless.ts'

const call = { signal: new AbortController().signal }
const sides = { ours: () => openApi(call), storeless: () => openApi(call, answeredFor), bare: serveBare } as const

export type Side = keyof typeof sides

const served = await sides[process.argv[2] as Side]()
process.send?.({ address: served.address, token: served.token })
process.once('message', () => process.disconnect())
// Whoever measures is done, or gone: either way there is nobody left to serve.
process.once('disconnect', () => void served.close())
