import { describe, expect, it } from 'vitest'
import { Incoming } from './incoming.ts'

const half = 512 * 1024

function made(): { readonly incoming: Incoming; readonly told: string[] } {
  const told: string[] = []
  return { told, incoming: new Incoming({ full: () => told.push('full'), roomy: () => told.push('roomy') }) }
}

describe('bytes that came in', () => {
  it('are read in order, also by who waits for them, until the end', async () => {
    const { incoming } = made()
    const first = incoming.next()
    incoming.push(Buffer.from('a'))
    incoming.push(Buffer.alloc(0))
    incoming.push(Buffer.from('b'))
    incoming.end()
    expect(String((await first).value)).toBe('a')
    expect(String((await incoming.next()).value)).toBe('b')
    expect(await incoming.next()).toEqual({ done: true, value: undefined })
  })

  it('end with an error once, behind what came before it', async () => {
    const { incoming } = made()
    const error = new Error('broken')
    incoming.push(Buffer.from('a'))
    incoming.end({ error })
    expect(await incoming.next()).toMatchObject({ done: false })
    await expect(incoming.next()).rejects.toBe(error)
    expect(await incoming.next()).toMatchObject({ done: true })
  })

  it('hold the sender up while too many wait, and let it go on when half is read', async () => {
    const { incoming, told } = made()
    incoming.push(Buffer.alloc(half))
    expect(told).toEqual([])
    incoming.push(Buffer.alloc(half))
    incoming.push(Buffer.alloc(half))
    expect(told).toEqual(['full'])
    await incoming.next()
    expect(told).toEqual(['full'])
    await incoming.next()
    expect(told).toEqual(['full', 'roomy'])
  })

  it('hold nobody up when their reader has left', async () => {
    const { incoming, told } = made()
    incoming.push(Buffer.alloc(2 * half))
    await incoming.return()
    incoming.push(Buffer.alloc(4 * half))
    expect(told).toEqual(['full', 'roomy'])
  })
})
