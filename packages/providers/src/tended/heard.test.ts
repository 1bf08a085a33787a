import { Fault } from '@gantry/core'
import { expect, it } from 'vitest'
import { Heard } from './heard.ts'
import type { SiteEvent } from './tended-site.ts'

const away = new Fault('engine_unreachable', 'away')
const further = new Fault('engine_unreachable', 'still away')

function listened() {
  const told: SiteEvent[] = []
  return { told, heard: new Heard('The engine', { tell: (event) => told.push(event) }) }
}

it('is lost until it is found for the first time, of which nobody is told', () => {
  const { told, heard } = listened()
  expect(heard.lost).toMatchObject({ reason: 'engine_unreachable', message: 'The engine was not reached yet' })
  heard.lose(away)
  expect(heard.lost).toBe(away)
  expect(told).toEqual([])
})

it('tells once that it is found, and once that it is lost, with the newest reason', () => {
  const { told, heard } = listened()
  expect([heard.found(), heard.found()]).toEqual([true, false])
  expect(heard.lost).toBeUndefined()
  heard.lose(away)
  heard.lose(further)
  expect(heard.lost).toBe(further)
  expect(heard.found()).toBe(true)
  expect(told).toEqual([{ type: 'found' }, { type: 'lost', fault: away }, { type: 'found' }])
})
