import { describe, expect, it } from 'vitest'
import type { Observed } from '../../../observed.ts'
import type { Failure, HelmRecord } from '../record.ts'
import type { KnownRevision } from '../release/revisions.ts'
import { operation, revision } from '../testing/revision.ts'
import { engineIdOf, observedOf, placeIn } from './observed.ts'
import type { SeenServices } from './services.ts'

const ref = { tenant: 'acme', workload: 'web', uid: 'u1', slot: 'a' } as const
const well: SeenServices = { services: {}, endpoints: [], ready: true, lost: [], changed: [], since: new Date(2_000) }
const at = new Date(9_000)
const stalledAt = new Date(7_000)

const observed = (
  history: readonly KnownRevision[],
  record: Partial<HelmRecord> = {},
  seen: Partial<SeenServices> = {},
): Observed =>
  observedOf(
    {
      ref,
      namespace: 'n',
      record: { releaseName: 'web', hooks: true, timeoutSeconds: 60, ...record },
      version: '1',
      uid: 'id',
    },
    history,
    { ...well, ...seen },
    () => stalledAt,
    at,
  )

const failure: Failure = {
  specHash: 'h2',
  reason: 'rollout_stalled',
  message: 'helm upgrade failed: no',
  at: 5_000,
  tries: 1,
  againAt: 15_000,
}
const upgrading = [revision(1, { of: 'r1', updated: 1_000 }), revision(2, { of: 'r2', status: 'pending-upgrade' })]

describe('what is observed of a release', () => {
  it('is no replica before Helm has written anything down', () => {
    expect(observed([])).toMatchObject({ replicas: [], endpoints: [], drift: [] })
  })

  it('is one replica of what is deployed, ready since its objects are and since it was made', () => {
    expect(observed([revision(1, { of: 'r1', updated: 3_000 })])).toMatchObject({
      replicas: [
        { index: 0, release: 'r1', specHash: 'h1', ready: true, readySince: new Date(3_000), terminating: false },
      ],
    })
  })

  it('is still what was deployed before, while an upgrade is under way', () => {
    const { replicas } = observed(upgrading, { operation: operation({ of: 'r2' }) })
    expect(replicas).toMatchObject([
      { release: 'r1', ready: true, services: { 'helm/web': { phase: 'starting', ready: true } } },
    ])
    expect(replicas[0]?.services['helm/web']?.message).toBe('pending-upgrade, revision 2, chart web-1.0.0')
  })

  it('is what is being installed the first time, and not ready whatever its objects say', () => {
    const [replica] = observed([revision(1, { of: 'r1', status: 'pending-install' })]).replicas
    expect(replica).toMatchObject({ release: 'r1', specHash: 'h1', ready: false })
    expect(replica).not.toHaveProperty('readySince')
  })

  it.each<[string, KnownRevision, Partial<HelmRecord>, string[]]>([
    ['what we made is no drift', revision(1, { of: 'r1' }), {}, []],
    [
      'what somebody else made is',
      revision(2, { of: 'r1', description: 'Upgrade complete' }),
      {},
      ['spec.source.helm'],
    ],
    [
      'what helm took back to what we made is none',
      revision(3, { of: 'r1', description: 'Rollback to 1' }),
      { known: { content: 'content of r1', release: 'r1', specHash: 'h1' } },
      [],
    ],
  ])('%s', (_title, top, record, drift) => {
    expect(observed([top], record).drift).toEqual(drift)
  })

  it('has drifted by objects that are gone once all were made', () => {
    expect(observed([revision(1, { of: 'r1' })], {}, { lost: ['configmap/a'], ready: false }).drift).toEqual([
      'configmap/a',
    ])
    expect(observed(upgrading, {}, { lost: ['configmap/a'], ready: false }).drift).toEqual([])
  })

  const stall = { reason: 'image_pull_failed', message: 'deployment/web: no image', service: 'deployment/web' } as const
  it('is stalled by its objects while helm runs, since they were first seen so', () => {
    expect(
      observed(upgrading, { operation: operation({ of: 'r2' }), failure }, { stall, ready: false }).stalled,
    ).toEqual({
      ...stall,
      at: stalledAt,
    })
  })

  it('is stalled by what failed afterwards, with the reason of its objects', () => {
    const history = [revision(1, { of: 'r1' }), revision(2, { of: 'r2', status: 'failed', description: 'no' })]
    const { stalled, replicas } = observed(history, { failure }, { stall, ready: false })
    expect(stalled).toEqual({
      reason: 'image_pull_failed',
      message: 'helm upgrade failed: no (deployment/web: no image)',
      at: new Date(5_000),
    })
    expect(replicas).toMatchObject([{ release: 'r1', failed: 'again' }])
  })

  it('is not stalled by a death that is made good at once, nor by what has succeeded since', () => {
    expect(observed(upgrading, { failure: { ...failure, againAt: failure.at } }).stalled).toBeUndefined()
    expect(observed([revision(2, { of: 'r2' })], { failure }).stalled).toBeUndefined()
  })

  it('leaves while it is uninstalled', () => {
    const history = [revision(1, { of: 'r1' })]
    expect(observed(history, { operation: operation({ verb: 'uninstall' }) }).replicas).toMatchObject([
      { terminating: true },
    ])
    expect(observed([revision(1, { of: 'r1', status: 'uninstalling' })]).replicas).toMatchObject([
      { terminating: true },
    ])
  })

  it('has an id that leads back to its record', () => {
    const id = engineIdOf({ ref, namespace: 'n', uid: 'id' })
    expect(placeIn(id)).toMatchObject({ namespace: 'n', uid: 'id' })
    expect([placeIn('set:n/x/id'), placeIn('helm:n/x'), placeIn('')]).toEqual([undefined, undefined, undefined])
  })
})
