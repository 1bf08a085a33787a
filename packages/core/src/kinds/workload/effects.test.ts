import { describe, expect, it } from 'vitest'
import { describeEffects, workloadEffects } from './effects.ts'
import { workloadKind } from './workload.ts'

const spec = (more: object = {}) =>
  workloadKind.parse({
    apiVersion: 'gantry/v1',
    kind: 'Workload',
    metadata: { name: 'x' },
    spec: { replicas: 3, services: [{ name: 'web', image: 'app:1' }], ...more },
  }).spec

const chart = (version: string) => ({
  replicas: 1,
  services: [],
  source: { helm: { chart: { repository: { url: 'https://charts.example', name: 'web', version } } } },
})

const next = [{ name: 'web', image: 'app:2' }]

describe('what a change does to what runs', () => {
  it.each<[string, object | undefined, object | undefined, string[], boolean]>([
    ['a new workload', undefined, {}, ['starts 3 replicas'], true],
    ['a new workload that is stopped', undefined, { run: 'stopped' }, [], true],
    ['no change', {}, {}, [], false],
    ['a new image', {}, { services: next }, ['replaces 3 replicas'], true],
    ['a new image while stopped', { run: 'stopped' }, { run: 'stopped', services: next }, [], true],
    ['more replicas', {}, { replicas: 5 }, ['starts 2 replicas'], false],
    ['fewer replicas', {}, { replicas: 2 }, ['stops 1 replica'], false],
    [
      'a new image and more replicas',
      {},
      { replicas: 4, services: next },
      ['replaces 3 replicas', 'starts 1 replica'],
      true,
    ],
    ['stop', {}, { run: 'stopped' }, ['stops 3 replicas'], false],
    ['start', { run: 'stopped' }, {}, ['starts 3 replicas'], false],
    ['restart', {}, { restartStamp: '2026-01-01T00:00:00Z' }, ['replaces 3 replicas'], false],
    ['another strategy', {}, { strategy: { type: 'recreate' } }, [], false],
    ['another provider', {}, { provider: 'docker' }, ['replaces 3 replicas'], false],
    ['a wish to an engine', {}, { engine: { kubernetes: { serviceAccount: 'web' } } }, ['replaces 3 replicas'], false],
    ['another chart', chart('1.0.0'), chart('1.1.0'), [], true],
    ['another provider for a chart', chart('1'), { ...chart('1'), provider: 'east' }, ['replaces 1 replica'], false],
    ['services instead of a chart', chart('1'), { replicas: 1 }, ['replaces 1 replica'], true],
    ['removal', {}, undefined, ['stops 3 replicas'], false],
  ])('%s', (_, before, after, words, release) => {
    const effects = workloadEffects(before && spec(before), after && spec(after))
    expect(describeEffects(effects)).toEqual(words)
    expect(effects.release).toBe(release)
  })
})
