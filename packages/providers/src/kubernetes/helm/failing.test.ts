import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, type TestContext } from 'vitest'
import type { Observed } from '../../observed.ts'
import { call, type HelmRig, helmRig, untilDone, untilSeen } from '../../testing/helm-rig.ts'
import type { DesiredChart, HelmReleases } from './helm.ts'
import { chartFile, hook, noteChart, packChart, webChart } from './testing/charts.ts'
import { helmProcesses } from './testing/helm-processes.ts'

let found: HelmRig | { readonly missing: string }
beforeEach(async () => {
  found = await helmRig()
})
afterEach(() => ('end' in found ? found.end() : undefined))

const rig = ({ skip }: Pick<TestContext, 'skip'>): HelmRig => ('missing' in found ? skip(found.missing) : found)

const untilStalled = (
  releases: HelmReleases,
  wanted: DesiredChart,
  words: RegExp | string = '',
): Promise<Observed | undefined> =>
  untilSeen(
    () => releases.converge(wanted, call),
    () => releases.look(wanted.ref, call),
    (seen) => seen?.stalled !== undefined && seen.stalled.message.search(words) >= 0,
  )

describe('a release that does not come up', () => {
  it('is told by the words of the cluster while helm still waits, and by those of helm afterwards', async (context) => {
    const all = rig(context)
    const releases = all.open()
    const image = 'gantry-test/nobody-has-this:1'
    const wanted = all.desired(all.ref('web'), webChart(all.image), { set: { image }, timeoutSeconds: 15 })
    const early = await untilStalled(releases, wanted)
    expect(early?.stalled).toMatchObject({ reason: 'image_pull_failed', service: 'deployment/web' })
    expect(early?.stalled?.message).toMatch(/^deployment\/web: web: (?:ErrImagePull|ImagePullBackOff)/)
    expect(helmProcesses(all.folder, 'upgrade', 'web')).toHaveLength(1)
    expect(early?.replicas).toMatchObject([{ ready: false, specHash: wanted.specHash }])
    const late = await untilStalled(releases, wanted, /^helm upgrade failed/)
    expect(late?.stalled?.message).toMatch(/ImagePullBackOff|ErrImagePull/)
    expect(late?.replicas).toMatchObject([{ ready: false, failed: 'again' }])
    await untilDone(() => releases.remove(wanted.ref, call))
  })

  it('is taken back by helm where that was asked for: what ran before runs', async (context) => {
    const all = rig(context)
    const releases = all.open()
    const ref = all.ref('atomic')
    const first = all.desired(ref, noteChart(), { release: 'r1', set: { text: 'one' } })
    await untilDone(() => releases.converge(first, call))
    const fails = hook('fails', 'pre-upgrade', all.image, ['false'])
    const broken = noteChart({ 'templates/hook.yaml': fails })
    const second = all.desired(ref, broken, { release: 'r2', set: { text: 'two' }, atomic: true })
    const seen = await untilStalled(releases, second, /^helm upgrade failed/)
    expect(seen?.stalled?.message).toMatch(/hook/)
    expect(seen).toMatchObject({ drift: [], replicas: [{ release: 'r1', ready: true }] })
    const history = JSON.parse(await all.helm('history', 'atomic', '--output', 'json'))
    expect(history.map(({ status }: { status: string }) => status)).toEqual(['superseded', 'failed', 'deployed'])
    expect(await all.kubectl('get', 'configmap', 'atomic-note', '--output', 'jsonpath={.data.values}')).toContain('one')
    await untilDone(() => releases.remove(ref, call))
  })

  it('because its chart cannot be rendered is told at once, and nothing is made', async (context) => {
    const all = rig(context)
    const releases = all.open()
    const broken = noteChart({ 'templates/broken.yaml': '{{ .Values.nothing.at.all }}' })
    const wanted = all.desired(all.ref('broken'), broken)
    const seen = await untilStalled(releases, wanted)
    expect(seen?.stalled).toMatchObject({ reason: 'engine_rejected' })
    expect(seen?.stalled?.message).toMatch(/helm upgrade was not begun: helm template failed: .*nil pointer/s)
    expect(seen?.replicas).toEqual([])
    expect(JSON.parse(await all.helm('list', '--output', 'json'))).toEqual([])
    await untilDone(() => releases.remove(wanted.ref, call))
  })

  it('because there is no helm says what to do', async (context) => {
    const all = rig(context)
    const releases = all.open({ helm: '/srv/nowhere/helm' })
    const wanted = all.desired(all.ref('nohelm'), noteChart())
    const seen = await untilStalled(releases, wanted)
    expect(seen?.stalled).toMatchObject({ reason: 'capability_missing' })
    expect(seen?.stalled?.message).toMatch(/\/srv\/nowhere\/helm: install Helm 3 or 4/)
    await untilDone(() => all.open().remove(wanted.ref, call))
  })
})

const clusterRole = (name: string): string =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: ${name} }\nrules: []\n`

const definition = (group: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things.${group} }
spec:
  group: ${group}
  scope: Namespaced
  names: { kind: Thing, plural: things, singular: thing }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
`

describe('a chart that would leave the namespace of its tenant', () => {
  it.for([
    ['by an object of the whole cluster', { 'templates/role.yaml': clusterRole('gantry-test-role') }, /ClusterRole/],
    [
      'by naming another namespace',
      {
        'templates/away.yaml':
          'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: kube-system }\ndata: {}\n',
      },
      /names the namespace kube-system/,
    ],
    ['by a definition', { 'crds/things.yaml': definition('refused.gantry.dev') }, /CustomResourceDefinition/],
    [
      'by a hook',
      {
        'templates/hook.yaml': clusterRole('gantry-test-role').replace(
          'metadata: { name: gantry-test-role }',
          'metadata: { name: gantry-test-role, annotations: { helm.sh/hook: pre-install } }',
        ),
      },
      /ClusterRole/,
    ],
  ] as const)('%s is refused before anything is made', async ([_title, files, words], context) => {
    const all = rig(context)
    const releases = all.open()
    const wanted = all.desired(all.ref('away'), noteChart(files))
    const seen = await untilStalled(releases, wanted)
    expect(seen?.stalled).toMatchObject({ reason: 'engine_rejected' })
    expect(seen?.stalled?.message).toMatch(words)
    expect(JSON.parse(await all.helm('list', '--output', 'json'))).toEqual([])
    await untilDone(() => releases.remove(wanted.ref, call))
  })

  it('is installed where its tenant may, or without its definitions', async (context) => {
    const all = rig(context)
    const group = `${all.namespace}.gantry.dev`
    const files = noteChart({
      'crds/things.yaml': definition(group),
      'templates/role.yaml': clusterRole(`${all.namespace}-role`),
      'templates/thing.yaml': `apiVersion: ${group}/v1\nkind: Thing\nmetadata: { name: one }\n`,
    })
    const releases = all.open({ allow: { clusterScoped: ['acme'], namespaces: {} } })
    const wanted = all.desired(all.ref('allowed'), files)
    await untilDone(() => releases.converge(wanted, call))
    expect((await releases.look(wanted.ref, call))?.replicas[0]?.services).toMatchObject({
      'thing/one': { ready: true },
      [`clusterrole/${all.namespace}-role`]: { ready: true },
    })
    await untilDone(() => releases.remove(wanted.ref, call))
    expect(await all.kubectl('get', 'clusterrole', '--output', 'name')).not.toContain(`${all.namespace}-role`)
    // Helm never removes definitions, as everything of their kinds would go with them.
    expect(await all.kubectl('delete', 'crd', `things.${group}`)).toContain('deleted')
    const without = all.desired(all.ref('without'), noteChart({ 'crds/things.yaml': definition(group) }), {
      crds: false,
    })
    const confined = all.open()
    await untilDone(() => confined.converge(without, call))
    expect(await all.kubectl('get', 'crd', '--output', 'name')).not.toContain(group)
    await untilDone(() => confined.remove(without.ref, call))
  })
})

describe('a chart at a path', () => {
  it('is taken from a folder that is allowed, and from no other, whatever links lead there', async (context) => {
    const all = rig(context)
    const [allowed, other] = [join(all.folder, 'charts'), join(all.folder, 'other')]
    for (const folder of [allowed, other]) {
      mkdirSync(join(folder, 'note', 'templates'), { recursive: true })
      for (const [path, content] of Object.entries(noteChart())) writeFileSync(join(folder, 'note', path), content)
    }
    writeFileSync(
      join(allowed, 'note.tgz'),
      packChart('note', { ...noteChart(), 'Chart.yaml': chartFile('note', '2.0.0') }),
    )
    symlinkSync(other, join(allowed, 'link'))
    const releases = all.open({ chartFolders: [allowed] })
    const at = (path: string, release: string): DesiredChart =>
      all.desired({ ...ref, uid: ref.uid }, { from: 'path', path }, { release })
    const ref = all.ref('path')
    await untilDone(() => releases.converge(at(join(allowed, 'note'), 'r1'), call))
    await untilDone(() => releases.converge(at(join(allowed, 'note.tgz'), 'r2'), call))
    expect((await releases.history(ref, call)).map(({ chart }) => chart)).toEqual(['note-1.0.0', 'note-2.0.0'])
    const linked = at(join(allowed, 'link', 'note'), 'r3')
    expect(releases.check(linked)).toEqual([])
    const seen = await untilStalled(releases, linked)
    expect(seen?.stalled?.message).toMatch(/is in no folder that the settings of the Provider allow/)
    expect(releases.check(at(join(other, 'note'), 'r4'))).toMatchObject([{ path: 'spec.source.helm.chart.path' }])
    await untilDone(() => releases.remove(ref, call))
  })
})
