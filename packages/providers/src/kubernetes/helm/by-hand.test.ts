import { describe, it } from 'vitest'
import type { Observation } from '../../observed.ts'
import { refKey } from '../../ref.ts'
import { call, onHelm, untilDone } from '../../testing/helm-rig.ts'
import type { HelmReleases } from './helm.ts'
import { hook, noteChart, webChart } from './testing/charts.ts'

/** What is told to have drifted, as it was last heard. */
function watched(releases: HelmReleases) {
  const over = new AbortController()
  let drift: readonly string[] | undefined
  const ended = (async () => {
    for await (const seen of releases.observe({ signal: over.signal })) {
      if (seen.type === 'snapshot') drift = seen.instances[0]?.drift
      if (seen.type === 'changed') drift = seen.instance.drift
    }
  })().catch((error: unknown) => {
    if (error !== over.signal.reason) throw error
  })
  return {
    drift: () => drift && [...drift].sort(),
    async end() {
      over.abort(new Error('seen enough'))
      await ended
    },
  }
}

describe('what somebody does by hand', { concurrent: true }, () => {
  it('a rollback is seen for what it is, and undone', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const releases = all.open()
      const ref = all.ref('note')
      const [first, second] = ['one', 'two'].map((text, at) =>
        all.desired(ref, noteChart(), { release: `r${at + 1}`, set: { text } }),
      )
      if (!first || !second) throw new Error('two were made')
      await untilDone(() => releases.converge(first, call))
      await untilDone(() => releases.converge(second, call))
      await all.helm('rollback', 'note', '1')
      const seen = await releases.look(ref, call)
      expect(seen).toMatchObject({
        drift: ['spec.source.helm'],
        replicas: [{ release: 'r1', specHash: first.specHash }],
      })
      expect(releases.plan(second, seen)).toMatchObject([{ verb: 'change', object: 'helm release note' }])
      await untilDone(() => releases.converge(second, call))
      expect(await releases.look(ref, call)).toMatchObject({ drift: [], replicas: [{ release: 'r2' }] })
      expect(JSON.parse(await all.helm('get', 'values', 'note', '--output', 'json'))).toEqual({ text: 'two' })
      await untilDone(() => releases.remove(ref, call))
    }))

  it('an upgrade is seen though it copies our labels, and undone', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const releases = all.open()
      const ref = all.ref('note')
      const wanted = all.desired(ref, noteChart(), { set: { text: 'ours' } })
      await untilDone(() => releases.converge(wanted, call))
      const chart = `${all.folder}/by-hand.tgz`
      const { writeFileSync } = await import('node:fs')
      const content = wanted.source.chart.from === 'archive' ? wanted.source.chart.content : new Uint8Array()
      writeFileSync(chart, content)
      await all.helm('upgrade', 'note', chart, '--set', 'text=theirs')
      const seen = await releases.look(ref, call)
      expect(seen).toMatchObject({ drift: ['spec.source.helm'], replicas: [{ release: '', specHash: '' }] })
      await untilDone(() => releases.converge(wanted, call))
      expect(JSON.parse(await all.helm('get', 'values', 'note', '--output', 'json'))).toEqual({ text: 'ours' })
      await untilDone(() => releases.remove(ref, call))
    }))

  it('an object that is deleted is made again', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const releases = all.open()
      const wanted = all.desired(all.ref('note'), noteChart())
      await untilDone(() => releases.converge(wanted, call))
      await all.kubectl('delete', 'configmap', 'note-note')
      expect(await releases.look(wanted.ref, call)).toMatchObject({
        drift: ['configmap/note-note'],
        replicas: [{ ready: false }],
      })
      const waited = await untilDone(() => releases.converge(wanted, call))
      expect(waited).toContain('helm upgrade, since configmap/note-note is gone')
      expect(await releases.look(wanted.ref, call)).toMatchObject({ drift: [], replicas: [{ ready: true }] })
      await untilDone(() => releases.remove(wanted.ref, call))
    }))

  it('a field that is changed is told, never by its value, and left alone', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const releases = all.open()
      const ref = all.ref('web')
      const secret =
        'apiVersion: v1\nkind: Secret\nmetadata: { name: keys, labels: { tier: front } }\nstringData: { password: open sesame, user: me }\n'
      const chart = webChart(all.image, { 'templates/secret.yaml': secret })
      const first = all.desired(ref, chart, { release: 'r1' })
      await untilDone(() => releases.converge(first, call))
      const told = watched(releases)
      await expect.poll(() => told.drift()).toEqual([])
      expect((await releases.look(ref, call))?.drift).toEqual([])
      await all.kubectl('scale', 'deployment/web', '--replicas=2')
      await all.kubectl('set', 'env', 'deployment/web', 'TEXT=theirs', 'MORE=theirs')
      await all.kubectl('patch', 'configmap', 'web-www', '--patch', '{"data":{"index.html":"theirs","more":"theirs"}}')
      await all.kubectl('patch', 'secret', 'keys', '--patch', '{"stringData":{"password":"theirs"}}')
      await all.kubectl('label', 'secret', 'keys', 'tier-')
      const changed = [
        'configmap/web-www data[index.html]',
        'deployment/web spec.replicas',
        'deployment/web spec.template.spec.containers[web].env[TEXT].value',
        'secret/keys data.password',
        'secret/keys metadata.labels.tier',
      ]
      const look = async (): Promise<string[]> => [...((await releases.look(ref, call))?.drift ?? [])].sort()
      expect(await look()).toEqual(changed)
      await expect.poll(() => told.drift()).toEqual(changed)
      expect(JSON.stringify(await releases.look(ref, call))).not.toMatch(/theirs|open sesame/)
      await untilDone(() => releases.converge(first, call))
      expect(await look()).toEqual(changed)
      // Somebody puts one right by hand.
      await all.kubectl('scale', 'deployment/web', '--replicas=1')
      await expect.poll(() => told.drift()).not.toContain('deployment/web spec.replicas')
      expect(JSON.parse(await all.helm('list', '--output', 'json'))).toMatchObject([{ name: 'web', revision: '1' }])
      await told.end()
      await untilDone(() => releases.remove(ref, call))
    }))

  it('a field that is changed is what Helm says it is at the next release', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const releases = all.open()
      const ref = all.ref('note')
      const [first, second] = ['one', 'two'].map((text, at) =>
        all.desired(ref, noteChart(), { release: `r${at + 1}`, set: { text } }),
      )
      if (!first || !second) throw new Error('two were made')
      await untilDone(() => releases.converge(first, call))
      await all.kubectl('patch', 'configmap', 'note-note', '--patch', '{"data":{"values":"theirs"}}')
      const isOlder = (await all.helm('version', '--short')).startsWith('v3.')
      if (isOlder) {
        // It merges what was, what shall be and what is, and takes no notice of whose a field is.
        await untilDone(() => releases.converge(second, call))
      } else {
        const refused = async (): Promise<string | undefined> => {
          await releases.converge(second, call)
          return (await releases.look(ref, call))?.stalled?.message
        }
        await expect.poll(refused).toMatch(/^helm upgrade failed.*conflict.*kubectl-patch.*\.data\.values/s)
        await all.kubectl(
          'patch',
          'configmap',
          'note-note',
          '--patch',
          JSON.stringify({ data: { values: '{"text":"two"}' } }),
        )
        await untilDone(() => releases.converge(second, call))
      }
      expect(await releases.look(ref, call)).toMatchObject({ drift: [], replicas: [{ release: 'r2', ready: true }] })
      await untilDone(() => releases.remove(ref, call))
    }))

  it('a release of theirs is never touched', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const releases = all.open()
      const wanted = all.desired(all.ref('theirs'), noteChart())
      const { writeFileSync } = await import('node:fs')
      const chart = `${all.folder}/by-hand.tgz`
      writeFileSync(chart, wanted.source.chart.from === 'archive' ? wanted.source.chart.content : new Uint8Array())
      await all.helm('install', 'theirs', chart, '--set', 'text=theirs')
      await expect(untilDone(() => releases.converge(wanted, call))).rejects.toMatchObject({ reason: 'foreign_object' })
      expect(await releases.remove(wanted.ref, call)).toEqual({ state: 'done' })
      expect(JSON.parse(await all.helm('list', '--output', 'json'))).toMatchObject([{ name: 'theirs', revision: '1' }])
    }))

  it('an uninstall is undone', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const releases = all.open()
      const wanted = all.desired(all.ref('note'), noteChart())
      await untilDone(() => releases.converge(wanted, call))
      await all.helm('uninstall', 'note')
      expect(await releases.look(wanted.ref, call)).toMatchObject({ replicas: [] })
      await untilDone(() => releases.converge(wanted, call))
      expect(await releases.look(wanted.ref, call)).toMatchObject({ replicas: [{ ready: true }] })
      await untilDone(() => releases.remove(wanted.ref, call))
    }))
})

describe('what a release leaves', { concurrent: true }, () => {
  it('is what the chart says shall stay, and nothing else: not even of hooks', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const releases = all.open()
      const kept =
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: kept, annotations: { helm.sh/resource-policy: keep } }\ndata: {}\n'
      const made = hook('made', 'pre-install', all.image, ['true'])
      const wanted = all.desired(
        all.ref('note'),
        noteChart({ 'templates/kept.yaml': kept, 'templates/made.yaml': made }),
      )
      await untilDone(() => releases.converge(wanted, call))
      const seen = await releases.look(wanted.ref, call)
      expect(seen?.replicas[0]?.services['configmap/kept']?.message).toMatch(/stays when the release goes/)
      expect(releases.plan(undefined, seen)).toMatchObject([
        { verb: 'remove', why: expect.stringContaining('configmap/kept will stay') },
      ])
      expect(await all.kubectl('get', 'job', '--output', 'name')).toBe('job.batch/note-made\n')
      await untilDone(() => releases.remove(wanted.ref, call))
      expect(await all.kubectl('get', 'job,pod,secret', '--output', 'name')).toBe('')
      expect(await all.kubectl('get', 'configmap', '--output', 'name')).toContain('configmap/kept')
    }))

  it('of an upgrade that failed goes when another one has succeeded', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const releases = all.open()
      const ref = all.ref('note')
      const extra = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: extra }\ndata: {}\n'
      const fails = hook('fails', 'post-upgrade', all.image, ['false'])
      await untilDone(() => releases.converge(all.desired(ref, noteChart(), { release: 'r1' }), call))
      const broken = noteChart({ 'templates/extra.yaml': extra, 'templates/fails.yaml': fails })
      const second = all.desired(ref, broken, { release: 'r2' })
      await expect
        .poll(async () => {
          await releases.converge(second, call)
          return (await releases.look(ref, call))?.stalled?.message
        })
        .toMatch(/^helm upgrade failed/)
      expect(await all.kubectl('get', 'configmap', '--output', 'name')).toContain('configmap/extra')
      await untilDone(() => releases.converge(all.desired(ref, noteChart(), { release: 'r3' }), call))
      expect(await all.kubectl('get', 'configmap', '--output', 'name')).not.toContain('configmap/extra')
      await untilDone(() => releases.remove(ref, call))
    }))

  it('under its old name goes before it comes under a new one', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const releases = all.open()
      const ref = all.ref('note')
      await untilDone(() => releases.converge(all.desired(ref, noteChart(), { release: 'r1' }), call))
      const renamed = all.desired(ref, noteChart(), { release: 'r2', releaseName: 'other' })
      await untilDone(() => releases.converge(renamed, call))
      expect(JSON.parse(await all.helm('list', '--output', 'json'))).toMatchObject([{ name: 'other', revision: '1' }])
      await untilDone(() => releases.remove(ref, call))
      expect(JSON.parse(await all.helm('list', '--output', 'json'))).toEqual([])
    }))
})

describe('what is told of releases as it happens', { concurrent: true }, () => {
  it('is a snapshot, every change from pending to ready, and that it is gone', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const releases = all.open()
      const wanted = all.desired(all.ref('web'), webChart(all.image))
      const heard: Observation[] = []
      const leave = new AbortController()
      const listening = (async () => {
        for await (const seen of releases.observe({ signal: leave.signal })) heard.push(seen)
      })()
      await expect.poll(() => heard[0]).toMatchObject({ type: 'snapshot', instances: [] })
      await untilDone(() => releases.converge(wanted, call))
      const last = (): Observation | undefined => heard.at(-1)
      await expect.poll(last).toMatchObject({
        type: 'changed',
        instance: {
          replicas: [
            {
              ready: true,
              services: { 'deployment/web': { ready: true, role: 'main' }, 'service/web': { ready: true } },
            },
          ],
        },
      })
      const words = heard.flatMap((seen) =>
        seen.type === 'changed' ? (seen.instance.replicas[0]?.services['helm/web']?.message ?? []) : [],
      )
      expect(words[0]).toMatch(/^pending-install/)
      const looked = await releases.look(wanted.ref, call)
      const told = last()
      if (told?.type !== 'changed') throw new Error('it was told')
      expect({ ...told.instance, at: 0 }).toEqual({ ...looked, at: 0 })
      // One that begins to listen now is told all at once.
      for await (const seen of releases.observe(call)) {
        expect(seen).toMatchObject({ type: 'snapshot', instances: [{ ref: { workload: 'web' } }] })
        break
      }
      await untilDone(() => releases.remove(wanted.ref, call))
      await expect
        .poll(() => last()?.type === 'gone' && refKey((last() as { ref: typeof wanted.ref }).ref))
        .toBe(refKey(wanted.ref))
      leave.abort(new Error('enough'))
      await expect(listening).rejects.toThrow('enough')
    }))

  it('has the containers behind its objects', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const releases = all.open()
      const wanted = all.desired(all.ref('web'), webChart(all.image))
      await untilDone(() => releases.converge(wanted, call))
      const [replica] = (await releases.look(wanted.ref, call))?.replicas ?? []
      const engineId = replica?.engineId ?? ''
      expect(releases.owns(engineId)).toBe(true)
      for (const service of ['deployment/web', 'service/web']) {
        expect(await releases.containersOf(engineId, service, call)).toMatchObject([
          { namespace: all.namespace, container: 'web', running: true, role: 'main' },
        ])
      }
      await expect(releases.containersOf(engineId, 'deployment/other', call)).rejects.toMatchObject({
        reason: 'service_not_found',
      })
      await expect(releases.containersOf(`${engineId}x`, 'deployment/web', call)).rejects.toMatchObject({
        reason: 'replica_not_found',
      })
      expect(await releases.hasAny(all.namespace, call)).toBe(true)
      await untilDone(() => releases.remove(wanted.ref, call))
      expect(await releases.hasAny(all.namespace, call)).toBe(false)
    }))
})

describe('what the engine clears away of an instance', { concurrent: true }, () => {
  it('is never a Secret of a release: neither the record nor a revision', ({ skip, expect }) =>
    onHelm({ skip }, async (all) => {
      const releases = all.open()
      const wanted = all.desired(all.ref('note'), noteChart())
      await untilDone(() => releases.converge(wanted, call))
      expect(await all.kubectl('get', 'secret', '--selector', 'gantry.dev/set!=helm', '--output', 'name')).toBe('')
      expect((await all.kubectl('get', 'secret', '--output', 'name')).trim().split('\n')).toHaveLength(2)
      await untilDone(() => releases.remove(wanted.ref, call))
    }))
})
