import { describe, expect, it } from 'vitest'
import { capabilitiesOf, compareVersions, negotiate, newestApi } from './versions.ts'

describe('the version that is spoken', () => {
  it.each([
    [{ ApiVersion: '1.41' }, '1.41'],
    [{ ApiVersion: '1.44', MinAPIVersion: '1.24' }, '1.44'],
    [{ ApiVersion: '1.99', MinAPIVersion: '1.44' }, newestApi],
  ])('is, for an engine of %j, %s', (engine, spoken) => {
    expect(negotiate(engine)).toBe(spoken)
  })

  it('is none where an engine is too old or too new, and says which', () => {
    const missing = (message: string) => expect.objectContaining({ reason: 'capability_missing', message })
    expect(() => negotiate({ ApiVersion: '1.40' })).toThrow(
      missing(expect.stringContaining('20.10 or newer') as string),
    )
    expect(() => negotiate({ ApiVersion: '2.0', MinAPIVersion: '1.90' })).toThrow(
      missing(expect.stringContaining('newer Gantry') as string),
    )
  })

  it('is compared part by part', () => {
    expect(compareVersions('1.9', '1.41')).toBeLessThan(0)
    expect(compareVersions('1.41', '1.41')).toBe(0)
    expect(compareVersions('2.0', '1.51')).toBeGreaterThan(0)
  })

  it('decides what can be asked for', () => {
    expect(capabilitiesOf('1.41')).toEqual({
      annotations: false,
      execConsoleSize: false,
      healthStartInterval: false,
      severalNetworksAtCreate: false,
      volumeSubpath: false,
    })
    expect(capabilitiesOf('1.44')).toMatchObject({ healthStartInterval: true, volumeSubpath: false })
    expect(Object.values(capabilitiesOf(newestApi))).not.toContain(false)
  })
})
