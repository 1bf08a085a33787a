import { describe, expect, it } from 'vitest'
import { Trail } from './trail.ts'

const step = { isStep: true, changes: true }
const call = { isStep: false, changes: false }

function trail() {
  const killed: number[] = []
  return { killed, trail: new Trail(({ pid }) => killed.push(pid), Date.now) }
}

describe('the points that a server passes', () => {
  it('are numbered by how often each was passed', () => {
    const { trail: own } = trail()
    for (const name of ['write', 'write', 'stop']) own.pass(name, step)
    expect(own.report().passed).toEqual(['write #1', 'write #2', 'stop #1'])
  })

  it('are one for a call that is made again before anything has changed', () => {
    const { trail: own } = trail()
    for (const name of ['look', 'look']) own.pass(name, call)
    own.pass('status', { isStep: true, changes: false })
    own.pass('look', call)
    own.pass('write', step)
    own.pass('look', call)
    expect(own.report().passed).toEqual(['look #1', 'status #1', 'write #1', 'look #2'])
  })

  it('are one for what is the same each time', () => {
    const { trail: own } = trail()
    for (let times = 0; times < 3; times++) own.pass('file', { ...step, isOnce: true })
    expect(own.report().passed).toEqual(['file #1'])
  })

  it('are where the one dies who was aimed at, once', () => {
    const { trail: own, killed } = trail()
    own.begin({ point: 'write #2', pid: 42, signal: 'SIGKILL' })
    own.pass('write', step)
    expect([killed, own.report().hit]).toEqual([[], false])
    own.pass('write', step)
    own.pass('write', step)
    expect([killed, own.report().hit]).toEqual([[42], true])
  })

  it('are counted anew from the beginning of an action', () => {
    const { trail: own, killed } = trail()
    own.pass('write', step)
    own.begin({ point: 'write #1', pid: 42, signal: 'SIGKILL' })
    own.pass('write', step)
    expect([killed, own.report().passed]).toEqual([[42], ['write #1']])
  })
})
