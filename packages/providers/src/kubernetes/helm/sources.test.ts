import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret } from '@gantry/core'
import { engine } from '@gantry/engines'
import { afterEach, beforeEach, describe, expect, it, type TestContext } from 'vitest'
import { call, type HelmRig, helmRig, untilDone, untilSeen } from '../../testing/helm-rig.ts'
import { type ChartRepository, chartRepository } from './testing/chart-repository.ts'
import { noteChart, packChart } from './testing/charts.ts'

let found: HelmRig | { readonly missing: string }
const repositories: ChartRepository[] = []
beforeEach(async () => {
  found = await helmRig()
})
afterEach(async () => {
  for (const repository of repositories.splice(0)) await repository.end()
  if ('end' in found) await found.end()
})

const rig = ({ skip }: Pick<TestContext, 'skip'>): HelmRig => ('missing' in found ? skip(found.missing) : found)

const noted = (version: string): Uint8Array => packChart('note', noteChart({}, version))

async function repositoryWith(account?: Parameters<typeof chartRepository>[0]): Promise<ChartRepository> {
  const repository = await chartRepository(account)
  repositories.push(repository)
  for (const version of ['1.0.0', '1.2.0', '2.0.0']) repository.put({ name: 'note', version, content: noted(version) })
  return repository
}

describe('a chart of a repository', () => {
  it('is fetched with the account that was given, which nobody else sees, in the version that was asked for', async (context) => {
    const all = rig(context)
    const account = { username: 'me', password: 'hunter2' }
    const { url, asked } = await repositoryWith(account)
    const [username, password] = [new Secret(account.username), new Secret(account.password)]
    const releases = all.open()
    const ref = all.ref('note')
    const chart = { from: 'repository', url, name: 'note', username, password } as const
    const wanted = all.desired(ref, { ...chart, version: '^1.0.0' })
    await untilDone(() => releases.converge(wanted, call))
    expect((await releases.history(ref, call)).map((each) => each.chart)).toEqual(['note-1.2.0'])
    expect(asked).toEqual(['GET /index.yaml', 'GET /note-1.2.0.tgz'])
    await expect.poll(() => readdirSync(join(all.folder, 'runs'))).toEqual([])
    // Without a version it is the newest.
    await untilDone(() => releases.converge(all.desired(ref, chart, { release: 'r2' }), call))
    expect((await releases.history(ref, call)).at(-1)?.chart).toBe('note-2.0.0')
    await untilDone(() => releases.remove(ref, call))
  })

  it('that goes back to what ran once has the chart of then, whatever the repository has today', async (context) => {
    const all = rig(context)
    const repository = await repositoryWith()
    const releases = all.open()
    const ref = all.ref('note')
    const chart = { from: 'repository', url: repository.url, name: 'note' } as const
    const first = all.desired(ref, chart, { release: 'r1', set: { text: 'one' } })
    await untilDone(() => releases.converge(first, call))
    repository.put({ name: 'note', version: '3.0.0', content: noted('3.0.0') })
    await untilDone(() => releases.converge(all.desired(ref, chart, { release: 'r2', set: { text: 'two' } }), call))
    await untilDone(() => releases.converge(first, call))
    expect((await releases.history(ref, call)).map((each) => [each.chart, each.release])).toEqual([
      ['note-2.0.0', 'r1'],
      ['note-3.0.0', 'r2'],
      ['note-2.0.0', 'r1'],
    ])
    await untilDone(() => releases.remove(ref, call))
  })

  it.for([
    ['that lets us in no further', { password: 'wrong' }, /helm repo failed: .*401/s],
    ['that has no such chart', { name: 'other' }, /helm pull failed: .*other/s],
    ['that has no such version', { version: '9.9.9' }, /helm pull failed: .*9\.9\.9/s],
    ['that is not there', { url: 'http://127.0.0.1:1' }, /helm repo failed: .*connection refused/s],
  ] as const)('%s is quoted, without the password', async ([_title, change, words], context) => {
    const all = rig(context)
    const { url } = await repositoryWith({ username: 'me', password: 'hunter2' })
    const { password = 'hunter2', ...other } = { ...change } as { password?: string }
    const releases = all.open()
    const account = { username: new Secret('me'), password: new Secret(password) }
    const wanted = all.desired(all.ref('note'), { from: 'repository', url, name: 'note', ...account, ...other })
    const seen = await untilSeen(
      () => releases.converge(wanted, call),
      () => releases.look(wanted.ref, call),
      (now) => now?.stalled !== undefined,
    )
    expect(seen?.stalled?.message).toMatch(words)
    expect(seen?.stalled?.message).not.toMatch(/hunter2|wrong/)
    await untilDone(() => releases.remove(wanted.ref, call))
  })
})

describe('a chart of a registry', () => {
  it('is pulled from where helm has pushed it', async (context) => {
    const all = rig(context)
    const registry = await engine('registry', call)
    if (registry.state === 'missing') return context.skip(registry.why)
    const file = join(all.folder, 'note-1.2.0.tgz')
    writeFileSync(file, noted('1.2.0'))
    const folder = `oci://${registry.address.host}/${all.namespace}`
    await all.helm('push', file, folder, '--plain-http')
    const releases = all.open()
    const ref = all.ref('note')
    const chart = { from: 'repository', url: folder, name: 'note' } as const
    await untilDone(() => releases.converge(all.desired(ref, { ...chart, version: '1.2.0' }), call))
    expect((await releases.history(ref, call)).map((each) => each.chart)).toEqual(['note-1.2.0'])
    await untilDone(() => releases.remove(ref, call))
    expect(readFileSync(file)).toEqual(Buffer.from(noted('1.2.0')))
  })
})
