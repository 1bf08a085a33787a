import { serviceFields } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { contractCases } from './cases.ts'
import { fieldProbes } from './field-probes.ts'
import { type Row, rows, rowsElsewhere } from './rows.ts'

describe('the contract covers what is described', () => {
  it.each(Object.entries(rows))('has a case for %s: %s', (row) => {
    const titles = contractCases.filter((each) => each.rows.includes(row as Row)).map(({ title }) => title)
    if (row in rowsElsewhere) expect(titles).toEqual([])
    else expect(titles.length).toBeGreaterThan(0)
  })

  it('probes every field of a service', () => {
    expect(Object.keys(fieldProbes).sort()).toEqual(Object.keys(serviceFields.shape).sort())
  })

  it('calls every case by a name of its own, so that a skip names one case', () => {
    const titles = contractCases.map(({ title }) => title)
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([])
  })
})
