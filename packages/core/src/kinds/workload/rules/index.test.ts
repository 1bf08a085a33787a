import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { workloadRules } from './index.ts'

it('has every rule that is written beside it', () => {
  const folder = new URL('.', import.meta.url)
  const written = readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => [
      ...readFileSync(new URL(name, folder), 'utf8').matchAll(/^export const (\w+): WorkloadRule =/gm),
    ])
    .map(([, name]) => name)
  expect(workloadRules.map(({ name }) => name).toSorted()).toEqual(written.toSorted())
})
