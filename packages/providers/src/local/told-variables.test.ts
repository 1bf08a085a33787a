/** Whoever writes a service learns from the description of its fields what it is told, and not from our code. */
import { serviceFields } from '@gantry/core'
import { expect, it } from 'vitest'
import { Kit } from '../contract/kit.ts'
import { simulatedHarness } from '../testing/simulated-harness.ts'
import { processSpec, replicaRecord } from './plan.ts'

type Described = {
  readonly description?: string
  readonly shape?: Readonly<Record<string, Described>>
  readonly def?: { readonly innerType?: Described; readonly element?: Described; readonly in?: Described }
}

function textOf({ description = '', shape = {}, def = {} }: Described): string {
  const inside = [...Object.values(shape), def.innerType, def.element, def.in].flatMap((each) => (each ? [each] : []))
  return [description, ...inside.map(textOf)].join('\n')
}

it('every variable of ours is named where the fields of a service are described', async () => {
  const kit = new Kit(await simulatedHarness())
  const service = {
    name: 'web',
    command: ['node'],
    ports: [{ name: 'http', port: 80, hostPort: 8080, bind: '127.0.0.1' }],
    volumes: [{ name: 'data', path: '/data' }],
  }
  const desired = kit.desired({ services: [service] })
  const fresh = { engineId: 'e1', index: 0, createdAt: 'now', user: undefined, environment: {} }
  const record = replicaRecord(desired, { ...fresh, portOf: () => 1 })
  const [first] = desired.services
  if (!first) throw new Error('there is a service')
  const { env } = processSpec({ records: '/r', run: '/run', memory: undefined }, record, desired, first)
  const ours = Object.keys(env).filter((name) => /^(GANTRY_|PORT)/.test(name))
  const general = ours.map((name) =>
    name
      .replace('PORT_WEB_HTTP', 'PORT_<SERVICE>_<NAME>')
      .replace(/^((?:GANTRY_BIND|PORT)_)HTTP$/, '$1<NAME>')
      .replace(/_DATA$/, '_<NAME>'),
  )
  expect(general).toEqual(expect.arrayContaining(['PORT', 'PORT_<NAME>', 'GANTRY_ROOT', 'GANTRY_VOLUME_<NAME>']))
  const text = textOf(serviceFields as unknown as Described)
  expect(general.filter((name) => !text.includes(name))).toEqual([])
})
