/** Bodies of actions that are valid. */
import { arbitraryName, arbitraryText } from '@gantry/core/testing/arbitraries'
import fc from 'fast-check'

const optional: { requiredKeys: []; noNullPrototype: true } = { requiredKeys: [], noNullPrototype: true }
const words = fc.array(arbitraryText, { maxLength: 3 })
const quantity = fc.oneof(fc.constantFrom('250m', '64Mi', '1.5', '1e3'), fc.nat({ max: 1000 }))
const strategy = fc.record(
  {
    type: fc.constantFrom('rolling', 'recreate', 'blue_green', 'canary'),
    maxSurge: fc.integer({ min: 0, max: 3 }),
    steps: fc.array(fc.record({ weight: fc.integer({ min: 0, max: 100 }), manual: fc.constant(true) }), {
      minLength: 1,
      maxLength: 2,
    }),
    minReadySeconds: fc.integer({ min: 0, max: 10 }),
  },
  optional,
)
const change = fc.record(
  {
    name: arbitraryName,
    image: fc.constantFrom('app:1', 'registry/app@sha256:abc'),
    command: words,
    args: words,
    env: fc.dictionary(fc.stringMatching(/^[A-Z_][-A-Z0-9.]{0,8}$/), fc.oneof(arbitraryText, fc.nat(), fc.boolean()), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
    healthCheck: fc.option(fc.record({ tcp: fc.record({ port: fc.constantFrom('http', 'admin') }) }, optional)),
  },
  { requiredKeys: ['name'], noNullPrototype: true },
)

export const arbitraryDeploy = fc.record({ services: fc.array(change, { maxLength: 2 }), strategy }, optional)
export const arbitraryRollback = fc.record({ to: fc.integer({ min: 1, max: 5 }) }, optional)
export const arbitraryScale = fc.record(
  {
    replicas: fc.integer({ min: 0, max: 10_000 }),
    service: arbitraryName,
    cpu: quantity,
    memory: quantity,
    disk: quantity,
    gpu: fc.nat({ max: 1024 }),
  },
  optional,
)
export const arbitraryAbort = fc.record({ why: arbitraryText }, optional)
