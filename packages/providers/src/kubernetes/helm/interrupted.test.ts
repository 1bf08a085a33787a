import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sleep, systemClock } from '@gantry/core'
import { describe, it } from 'vitest'
import { done, type Pass, waitFor } from '../../pass.ts'
import { call, type HelmRig, onHelm, untilDone, untilSeen } from '../../testing/helm-rig.ts'
import type { HelmReleases } from './helm.ts'
import { secretNameOf } from './release/stored.ts'
import { heldHook, webChart } from './testing/charts.ts'
import { letting } from './testing/held-hook.ts'
import { helmProcesses, theHelm } from './testing/helm-processes.ts'

/** No pod of this is ever ready. */
const never = { image: 'gantry-test/nobody-has-this:1' }

type Line = { readonly revision: number; readonly status: string; readonly description: string }

async function historyOf({ helm }: HelmRig, name: string): Promise<readonly Line[]> {
  return JSON.parse(await helm('history', name, '--output', 'json'))
}

/** Passes until Helm has written down that it is at work: from then on a death leaves something. */
async function untilPending(releases: HelmReleases, desired: Parameters<HelmReleases['converge']>[0]): Promise<void> {
  await untilSeen(
    () => releases.converge(desired, call),
    () => releases.look(desired.ref, call),
    (seen) => Object.values(seen?.replicas[0]?.services ?? {}).some(({ message }) => message?.startsWith('pending-')),
  )
}

describe('a helm that is killed', { concurrent: true }, () => {
  it('in an upgrade leaves it pending, which is undone: the upgrade goes on without a step back', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const releases = all.open()
      const ref = all.ref('killed')
      const chart = webChart(all.image)
      await untilDone(() => releases.converge(all.desired(ref, chart, { release: 'r1', set: { text: 'one' } }), call))
      const broken = all.desired(ref, chart, { release: 'r2', set: { ...never } })
      await untilPending(releases, broken)
      const { pid } = await theHelm(all.folder, 'upgrade', 'killed')
      process.kill(pid, 'SIGKILL')
      const second = all.desired(ref, chart, { release: 'r3', set: { text: 'two' } })
      await untilDone(() => releases.converge(second, call))
      expect(await historyOf(all, 'killed')).toMatchObject([
        { revision: 1, status: 'superseded' },
        { revision: 2, status: 'failed', description: 'Interrupted: the helm that made this revision has died' },
        { revision: 3, status: 'deployed' },
      ])
      expect(await releases.look(ref, call)).toMatchObject({ drift: [], replicas: [{ release: 'r3', ready: true }] })
      await untilDone(() => releases.remove(ref, call))
    }))

  it('in the first install leaves it pending: it is taken away and installed anew, with all its hooks', ({
    skip,
    expect,
  }) =>
    onHelm({ skip }, async (all) => {
      const releases = all.open()
      const ref = all.ref('newborn')
      const job = heldHook('done', 'post-install', all.image)
      const wanted = all.desired(ref, webChart(all.image, { 'templates/done.yaml': job }), { set: { text: 'one' } })
      await untilPending(releases, wanted)
      process.kill((await theHelm(all.folder, 'upgrade', 'newborn')).pid, 'SIGKILL')
      await untilDone(letting(all, 'newborn-done', () => releases.converge(wanted, call)))
      expect(await historyOf(all, 'newborn')).toMatchObject([{ revision: 1, status: 'deployed' }])
      expect(await all.kubectl('get', 'job', 'newborn-done', '--output', 'jsonpath={.status.succeeded}')).toBe('1')
      await untilDone(() => releases.remove(ref, call))
      // Helm itself leaves what hooks made.
      expect(await all.kubectl('get', 'job', '--output', 'name')).toBe('')
    }))

  it('in an uninstall is followed by another', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const releases = all.open()
      const ref = all.ref('leaver')
      const slow = heldHook('slow', 'pre-delete', all.image)
      const wanted = all.desired(ref, webChart(all.image, { 'templates/slow.yaml': slow }))
      await untilDone(() => releases.converge(wanted, call))
      await releases.remove(ref, call)
      const { pid } = await theHelm(all.folder, 'uninstall', 'leaver')
      await expect.poll(async () => (await historyOf(all, 'leaver'))[0]?.status).toBe('uninstalling')
      process.kill(pid, 'SIGKILL')
      await untilDone(letting(all, 'leaver-slow', () => releases.remove(ref, call)))
      expect(JSON.parse(await all.helm('list', '--output', 'json'))).toEqual([])
      expect(await all.kubectl('get', 'deployment,pod,job', '--output', 'name')).toBe('')
    }))
})

describe('a helm that outlives us', { concurrent: true }, () => {
  it('is waited for by the next one of us, and not doubled', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const ref = all.ref('outlives')
      const slow = heldHook('slow', 'pre-install', all.image)
      const wanted = all.desired(ref, webChart(all.image, { 'templates/slow.yaml': slow }))
      const first = all.open()
      await untilPending(first, wanted)
      const { pid } = await theHelm(all.folder, 'upgrade', 'outlives')
      await first.close()
      const second = all.open()
      expect(await second.converge(wanted, call)).toMatchObject({
        state: 'yield',
        reason: expect.stringMatching(/^helm upgrade/),
      })
      expect(helmProcesses(all.folder, 'upgrade', 'outlives').map((one) => one.pid)).toEqual([pid])
      await untilDone(letting(all, 'outlives-slow', () => second.converge(wanted, call)))
      expect(await historyOf(all, 'outlives')).toMatchObject([{ revision: 1, status: 'deployed' }])
      await untilDone(() => second.remove(ref, call))
    }))

  it('and dies before anybody looks is repaired by the next one of us, who also clears its folder away', ({
    skip,
    expect,
  }) =>
    onHelm({ skip }, async (all) => {
      const ref = all.ref('forgotten')
      const first = all.open()
      const chart = webChart(all.image)
      await untilDone(() => first.converge(all.desired(ref, chart, { release: 'r1' }), call))
      const wanted = all.desired(ref, chart, { release: 'r2', set: { text: 'two' } })
      await untilPending(first, { ...wanted, source: { ...wanted.source, set: never } })
      const { pid } = await theHelm(all.folder, 'upgrade', 'forgotten')
      await first.close()
      process.kill(pid, 'SIGKILL')
      const second = all.open()
      await untilDone(() => second.converge(wanted, call))
      expect(await historyOf(all, 'forgotten')).toMatchObject([
        { status: 'superseded' },
        { status: 'failed' },
        { status: 'deployed' },
      ])
      // The record is free before the folder is gone.
      await expect.poll(() => readdirSync(join(all.folder, 'runs'))).toEqual([])
      await untilDone(() => second.remove(ref, call))
    }))

  it('and succeeds while its history is being read is not taken for one that was killed', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const ref = all.ref('racing')
      const slow = heldHook('slow', 'pre-upgrade', all.image)
      const chart = webChart(all.image, { 'templates/slow.yaml': slow })
      const first = all.open()
      await untilDone(() => first.converge(all.desired(ref, chart, { release: 'r1', set: { text: 'one' } }), call))
      const wanted = all.desired(ref, chart, { release: 'r2', set: { text: 'two' } })
      await untilPending(first, wanted)
      await first.close()
      const { objects } = all.cluster.api
      let isRead = false
      // Helm ends between the moment when its revision is read, and the one when we know what it was.
      const get = (async (at, within) => {
        const answer = await objects.get(at, within)
        if (isRead || at.name !== secretNameOf('racing', 2)) return answer
        isRead = true
        const letGo = letting(all, 'racing-slow', async () => done)
        await expect.poll(() => letGo().then(() => helmProcesses(all.folder, 'upgrade', 'racing'))).toEqual([])
        return answer
      }) as typeof objects.get
      const second = all.open({ api: { ...all.cluster.api, objects: { ...objects, get } } })
      await untilDone(() => second.converge(wanted, call))
      expect(isRead).toBe(true)
      expect(await historyOf(all, 'racing')).toMatchObject([{ status: 'superseded' }, { status: 'deployed' }])
      await untilDone(() => second.remove(ref, call))
    }))

  it('and succeeds is known for what it did', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const ref = all.ref('succeeds')
      const slow = heldHook('slow', 'pre-install', all.image)
      const wanted = all.desired(ref, webChart(all.image, { 'templates/slow.yaml': slow }))
      const first = all.open()
      await untilPending(first, wanted)
      await theHelm(all.folder, 'upgrade', 'succeeds')
      await first.close()
      const ended = async (): Promise<Pass> =>
        helmProcesses(all.folder, 'upgrade', 'succeeds').length === 0 ? done : waitFor('helm to end', 100)
      await untilDone(letting(all, 'succeeds-slow', ended))
      const second = all.open()
      await untilDone(() => second.converge(wanted, call))
      expect(await historyOf(all, 'succeeds')).toMatchObject([{ revision: 1, status: 'deployed' }])
      await untilDone(() => second.remove(ref, call))
    }))
})

describe('a helm that is not wanted any more', { concurrent: true }, () => {
  it('is ended for the sake of another wish', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const releases = all.open()
      const ref = all.ref('another')
      const chart = webChart(all.image)
      await untilPending(releases, all.desired(ref, chart, { release: 'r1', set: never, timeoutSeconds: 600 }))
      const waited = await untilDone(() => releases.converge(all.desired(ref, chart, { release: 'r2' }), call))
      expect(waited).toContain('helm upgrade to end, since something else is wanted now')
      const statuses = (await historyOf(all, 'another')).map(({ status }) => status)
      // Helm tries once to write down that it was cancelled; where that fails, the install was pending and is made anew.
      expect(statuses.at(-1), waited.join(' | ')).toBe('deployed')
      expect(['', 'superseded']).toContain(statuses.slice(0, -1).join())
      await untilDone(() => releases.remove(ref, call))
    }))

  it('is ended by a removal', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const releases = all.open()
      const ref = all.ref('gone')
      await untilPending(releases, all.desired(ref, webChart(all.image), { set: never, timeoutSeconds: 600 }))
      await untilDone(() => releases.remove(ref, call))
      expect(JSON.parse(await all.helm('list', '--output', 'json'))).toEqual([])
      expect(await all.kubectl('get', 'deployment,pod,secret', '--output', 'name')).toBe('')
    }))
})

describe('what helm is given', { concurrent: true }, () => {
  it('is nowhere to be seen: not among its arguments, not in its environment, and in files for us alone', ({
    skip,
    expect,
  }) =>
    onHelm({ skip }, async (all) => {
      const releases = all.open()
      const ref = all.ref('secretive')
      const slow = heldHook('slow', 'pre-install', all.image)
      const wanted = all.desired(ref, webChart(all.image, { 'templates/slow.yaml': slow }), {
        values: { password: 'hunter2' },
        set: { text: 'hunter3' },
      })
      await untilPending(releases, wanted)
      const { argv, environ } = await theHelm(all.folder, 'upgrade', 'secretive')
      expect(argv.join(' ')).not.toMatch(/hunter/)
      expect(environ).not.toMatch(/hunter|PATH=/)
      const folder = join(all.folder, 'runs')
      const [run = ''] = readdirSync(folder)
      expect(statSync(join(folder, run)).mode & 0o777).toBe(0o700)
      for (const name of ['kubeconfig', 'values.json', 'set.json']) {
        expect(statSync(join(folder, run, name)).mode & 0o777).toBe(0o600)
      }
      await untilDone(letting(all, 'secretive-slow', () => releases.converge(wanted, call)))
      await expect.poll(() => readdirSync(folder)).toEqual([])
      await untilDone(() => releases.remove(ref, call))
    }))

  it('is not begun twice by two who ask at once', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const ref = all.ref('twice')
      const wanted = all.desired(ref, webChart(all.image))
      const both = [all.open(), all.open()]
      const most = { count: 0 }
      const watching = new AbortController()
      const counting = (async () => {
        while (!watching.signal.aborted) {
          most.count = Math.max(most.count, helmProcesses(all.folder, 'upgrade', 'twice').length)
          await sleep(systemClock, 20, call)
        }
      })()
      await Promise.all(both.map((releases) => untilDone(() => releases.converge(wanted, call))))
      watching.abort()
      await counting
      expect(most.count).toBe(1)
      expect(await historyOf(all, 'twice')).toMatchObject([{ revision: 1, status: 'deployed' }])
      await untilDone(() => both[0]?.remove(ref, call) ?? Promise.reject(new Error('nobody')))
    }))
})
