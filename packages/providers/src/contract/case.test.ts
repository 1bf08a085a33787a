import { describe, expect, it } from 'vitest'
import { overlay } from '../overlay.ts'
import { simulatedHarness } from '../testing/simulated-harness.ts'
import { type ContractCase, runCase } from './case.ts'

const needsTls: ContractCase = { title: 'needs tls', rows: [], needs: ['tls'], run: async () => undefined }
const needsGpu: ContractCase = { title: 'needs gpu', rows: [], needs: ['gpu'], run: async () => undefined }
const make = () => simulatedHarness()

describe('a case of the contract', () => {
  it('may be skipped with a reason where what it needs is not offered', async () => {
    expect(await runCase(needsTls, make, { 'needs tls': 'there is no tls here' })).toEqual({
      skipped: 'there is no tls here',
    })
  })

  it('may not be skipped where everything it needs is offered', async () => {
    await expect(runCase(needsGpu, make, { 'needs gpu': 'not today' })).rejects.toThrow(/may not be skipped/)
  })

  it('does not disappear in silence where what it needs is not offered', async () => {
    await expect(runCase(needsTls, make)).rejects.toThrow(/skip the case with a reason/)
  })

  it('takes the word of the engine for whether it has images, not that of the harness', async () => {
    const images: ContractCase = { title: 'images', rows: [], needs: ['images'], run: async () => undefined }
    const without = () =>
      simulatedHarness({
        wrapEngine: (engine) =>
          overlay(engine, {
            check: ({ services }) =>
              services.flatMap(({ image }, at) =>
                image === undefined ? [] : [{ path: `spec.services[${at}].image`, message: 'no images here' }],
              ),
          }),
      })
    await expect(runCase(images, make, { images: 'no' })).rejects.toThrow(/may not be skipped/)
    expect(await runCase(images, without, { images: 'no' })).toEqual({ skipped: 'no' })
  })

  it('gives the harness back, also when it fails', async () => {
    let disposed = 0
    const dispose = async () => {
      disposed += 1
    }
    const counting = async () => overlay(await simulatedHarness(), { dispose })
    const failing: ContractCase = { title: 'fails', rows: [], run: () => Promise.reject(new Error('it failed')) }
    await expect(runCase(failing, counting)).rejects.toThrow('it failed')
    expect(disposed).toBe(1)
  })
})
