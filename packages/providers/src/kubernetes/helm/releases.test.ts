import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { call, type HelmRig, helmRig, untilDone } from '../../testing/helm-rig.ts'
import { noteChart, webChart } from './testing/charts.ts'

let found: HelmRig | { readonly missing: string }
beforeAll(async () => {
  found = await helmRig()
})
afterAll(() => ('end' in found ? found.end() : undefined))

const rig = ({ skip }: Pick<TestContext, 'skip'>): HelmRig => ('missing' in found ? skip(found.missing) : found)

const page = (host: string, port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const asked = request({ host, port, path: '/' }, (answer) => {
      answer.setEncoding('utf8')
      let text = ''
      answer.on('data', (part: string) => {
        text += part
      })
      answer.on('end', () => resolve(text))
    })
    asked.on('error', reject)
    asked.end()
  })

describe('a release of a chart', () => {
  it('is installed, seen, upgraded, rolled back and removed, and the real helm agrees each time', async (context) => {
    const { open, ref: refOf, desired, helm, image, namespace, kubectl } = rig(context)
    const releases = open()
    const ref = refOf('web')
    const chart = webChart(image)
    const first = desired(ref, chart, { release: 'r1', set: { text: 'one' } })
    const second = desired(ref, chart, { release: 'r2', set: { text: 'two', replicas: '2' } })
    expect(await releases.look(ref, call)).toBeUndefined()

    const waited = await untilDone(() => releases.converge(first, call))
    expect(waited).toContain('helm upgrade')
    const seen = await releases.look(ref, call)
    expect(seen).toMatchObject({
      drift: [],
      replicas: [{ index: 0, ready: true, release: 'r1', specHash: first.specHash }],
    })
    expect(seen?.stalled).toBeUndefined()
    expect(seen?.replicas[0]?.services).toMatchObject({
      'deployment/web': { role: 'main', phase: 'running', ready: true },
      'service/web': { role: 'sidecar', ready: true },
      'configmap/web-www': { ready: true },
      'helm/web': { message: 'deployed, revision 1, chart web-1.0.0' },
    })
    const [endpoint] = seen?.endpoints ?? []
    expect(endpoint).toMatchObject({ service: 'service/web', port: 'http', protocol: 'http', stable: true })
    const { host = '', port = 0 } = endpoint && 'host' in endpoint.dial ? endpoint.dial : {}
    expect(await page(host, port)).toBe('one')
    expect(JSON.parse(await helm('list', '--output', 'json'))).toMatchObject([
      { name: 'web', namespace, revision: '1', status: 'deployed', chart: 'web-1.0.0' },
    ])
    expect(JSON.parse(await helm('get', 'values', 'web', '--output', 'json'))).toEqual({ text: 'one' })

    await untilDone(() => releases.converge(second, call))
    expect(await releases.look(ref, call)).toMatchObject({ replicas: [{ release: 'r2', ready: true }] })
    expect(JSON.parse(await helm('get', 'values', 'web', '--output', 'json'))).toEqual({ text: 'two', replicas: 2 })

    // A rollout back to the release before.
    await untilDone(() => releases.converge(first, call))
    expect(await releases.look(ref, call)).toMatchObject({ drift: [], replicas: [{ release: 'r1', ready: true }] })
    const history = JSON.parse(await helm('history', 'web', '--output', 'json'))
    expect(history).toMatchObject([
      { revision: 1, status: 'superseded', description: `Gantry release r1 (spec ${first.specHash})` },
      { revision: 2, status: 'superseded' },
      { revision: 3, status: 'deployed', description: 'Rollback to 1' },
    ])
    expect(await releases.history(ref, call)).toMatchObject([
      { revision: 1, release: 'r1', chart: 'web-1.0.0', appVersion: '9' },
      { revision: 2, release: 'r2' },
      { revision: 3, release: 'r1', status: 'deployed' },
    ])
    // Nothing further is done by further passes.
    expect(await releases.converge(first, call)).toEqual({ state: 'done' })
    expect(JSON.parse(await helm('history', 'web', '--output', 'json'))).toHaveLength(3)

    await untilDone(() => releases.remove(ref, call))
    expect(await releases.look(ref, call)).toBeUndefined()
    expect(JSON.parse(await helm('list', '--output', 'json'))).toEqual([])
    expect(await kubectl('get', 'deployment,service,pod,secret', '--output', 'name')).toBe('')
    expect(await releases.remove(ref, call)).toEqual({ state: 'done' })
  })

  it('gets values from files, from values and from single settings, later ones over earlier ones', async (context) => {
    const { open, ref: refOf, desired, helm, kubectl } = rig(context)
    const releases = open()
    const ref = refOf('values')
    const wanted = desired(ref, noteChart(), {
      valuesFiles: ['a: 1\nlist: [{x: 1, z: on}]\nkeep: yes\n', 'a: 2\nb: {c: 1}\n'],
      values: { b: { d: 'two words' }, quoted: '"\n' },
      set: { 'b.e': 'x,y', 'list[0].x': '7', text: 'null' },
    })
    await untilDone(() => releases.converge(wanted, call))
    const expected = {
      a: 2,
      b: { c: 1, d: 'two words', e: 'x,y' },
      keep: true,
      list: [{ x: 7, z: true }],
      quoted: '"\n',
    }
    expect(JSON.parse(await helm('get', 'values', 'values', '--output', 'json'))).toEqual({ ...expected, text: null })
    const note = JSON.parse(await kubectl('get', 'configmap', 'values-note', '--output', 'json'))
    expect(JSON.parse(note.data.values)).toMatchObject(expected)
    expect(JSON.parse(note.data.values)).not.toHaveProperty('text')
    await untilDone(() => releases.remove(ref, call))
  })
})
