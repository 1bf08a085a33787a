import { describe, expect, it } from 'vitest'
import type { DesiredService } from '../desired.ts'
import { overlay } from '../overlay.ts'
import { simulatedHarness } from '../testing/simulated-harness.ts'
import { runCase } from './case.ts'
import { contractCases } from './cases.ts'
import { engineLiars } from './liars/engine-liars.ts'
import type { Liar } from './liars/liar.ts'
import { providerLiars } from './liars/provider-liars.ts'
import { streamLiars } from './liars/stream-liars.ts'
import { volumeLiars } from './liars/volume-liars.ts'

/** What is left of a service when an engine ignores one of its fields. */
const ignored = {
  imagePullPolicy: { imagePullPolicy: 'if_not_present' },
  imagePullSecret: { imagePullSecret: undefined },
  command: { command: [] },
  args: { args: [] },
  workingDir: { workingDir: undefined },
  user: { user: undefined },
  env: { env: {} },
  ports: { ports: [] },
  resources: { resources: { gpu: { count: 0, type: '' }, bestEffort: false } },
  requests: { requests: {} },
  healthCheck: { healthCheck: undefined },
  volumes: { volumes: [] },
  configFiles: { configFiles: [] },
  secrets: { secrets: [] },
  dependsOn: { dependsOn: [] },
  annotations: { annotations: {} },
} as const satisfies { [Field in keyof DesiredService]?: Record<Field, unknown> }

const fieldLiars = Object.entries(ignored).map(
  ([field, empty]): Liar => ({
    lie: `services[].${field} is dropped in silence`,
    caughtBy: `honours services[].${field}, or refuses it with its path before anything is touched`,
    wrapEngine: (engine) =>
      overlay(engine, {
        converge(desired, call) {
          const services = desired.services.map((service) => ({ ...service, ...empty }) as DesiredService)
          return engine.converge({ ...desired, services }, call)
        },
      }),
  }),
)

const run = (title: string, liar: Omit<Liar, 'lie' | 'caughtBy'>) => {
  const found = contractCases.find((each) => each.title === title)
  if (!found) throw new Error(`there is no case "${title}"`)
  return runCase(found, () => simulatedHarness(liar))
}

describe('a liar does not pass the contract', () => {
  it.each([...engineLiars, ...streamLiars, ...volumeLiars, ...providerLiars, ...fieldLiars])(
    '$lie → caught: $caughtBy',
    async (liar) => {
      await expect(run(liar.caughtBy, {})).resolves.toBeUndefined()
      await expect(run(liar.caughtBy, liar)).rejects.toThrow()
    },
  )
})
