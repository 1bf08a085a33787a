import { Fault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import type { Ref } from '../../../ref.ts'
import type { ObjectsApi } from '../../api/api.ts'
import { resources } from '../../api/resources.ts'
import type { KubeObject } from '../../api/types/meta.ts'
import type { SetObject } from '../../manifests/set-object.ts'
import { seenObject } from '../../manifests/watch/seen-object.ts'
import { Changes } from './changes.ts'

const ref: Ref = { tenant: 't', workload: 'w', uid: 'u', slot: 'a' }
const at = { resource: resources.configMap, namespace: 'n', name: 'page' }
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const written = (text: string): SetObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'page',
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'page' }, data: { text } },
  document: 1,
  line: 1,
})
const place = (one: SetObject) => ({ kind: 'v1 ConfigMap', namespace: 'n', one })

/** As it is watched: without its data. */
const passing = (manager: string, resourceVersion: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'page',
    namespace: 'n',
    uid: 'x',
    resourceVersion,
    managedFields: [{ manager, operation: 'Update', fieldsV1: { 'f:data': { 'f:text': {} } } }],
  },
})

function cluster(data: object, fails?: Error) {
  const state = { asked: 0, told: 0, data, fails, doubts: [] as unknown[] }
  const get = async (): Promise<KubeObject> => {
    state.asked += 1
    if (state.fails) throw state.fails
    return { ...passing('kubectl-edit', '9'), ...{ data: state.data } }
  }
  const changes = new Changes({
    objects: { get } as unknown as ObjectsApi,
    life: () => ({ signal: new AbortController().signal }),
    told: () => {
      state.told += 1
    },
    doubt: (error) => state.doubts.push(error),
  })
  const see = (raw: KubeObject, one: SetObject): readonly string[] => {
    const changed = changes.passing('v1 ConfigMap', raw)
    return changes.of(ref, at, place(one), { ...seenObject(raw), ...(changed && { changed }) })
  }
  return { changes, state, see }
}

describe('what is changed of an object whose content is not watched', () => {
  it('is nothing, and nobody is asked, while Helm is on record for it', () => {
    const { changes, state, see } = cluster({ text: 'other' })
    const one = written('hello')
    changes.set(ref, [place(one)])
    expect([see(passing('helm', '1'), one), state.asked]).toEqual([[], 0])
  })

  it('is asked for once for each of its versions where somebody else is, and told when it is known', async () => {
    const { changes, state, see } = cluster({ text: 'other' })
    const one = written('hello')
    changes.set(ref, [place(one)])
    for (let times = 0; times < 3; times += 1) expect(see(passing('kubectl-edit', '2'), one)).toEqual([])
    await turn()
    expect([see(passing('kubectl-edit', '2'), one), state.asked, state.told]).toEqual([['data.text'], 1, 1])
    state.data = { text: 'hello' }
    // What was known stands until there is an answer.
    expect(see(passing('kubectl-edit', '3'), one)).toEqual(['data.text'])
    await turn()
    expect([see(passing('kubectl-edit', '3'), one), state.asked, state.told]).toEqual([[], 2, 2])
  })

  it('is asked for when the chart says something else since it went by', async () => {
    const { changes, state, see } = cluster({ text: 'other' })
    const [first, second] = [written('hello'), written('other')]
    changes.set(ref, [place(first)])
    see(passing('kubectl-edit', '2'), first)
    await turn()
    changes.set(ref, [place(second)])
    see(passing('kubectl-edit', '2'), second)
    await turn()
    expect([see(passing('kubectl-edit', '2'), second), state.asked]).toEqual([[], 2])
  })

  it('is asked for again when it could not be told, but not of who may not tell', async () => {
    const { changes, state, see } = cluster({ text: 'other' }, new Fault('engine_unreachable', 'away'))
    const one = written('hello')
    changes.set(ref, [place(one)])
    see(passing('kubectl-edit', '2'), one)
    await turn()
    state.fails = new Fault('engine_forbidden', 'no')
    see(passing('kubectl-edit', '2'), one)
    await turn()
    see(passing('kubectl-edit', '2'), one)
    await turn()
    expect(state.asked).toBe(2)
  })

  it('is nobody’s business once its release has gone', () => {
    const { changes } = cluster({})
    changes.set(ref, [place(written('hello'))])
    changes.delete(ref)
    expect(changes.passing('v1 ConfigMap', passing('kubectl-edit', '2'))).toBeUndefined()
  })

  it('is in doubt where the answer is not understood, and what is asked next is asked all the same', async () => {
    const odd = new TypeError('no such thing')
    const { state, see } = cluster({ text: 'other' }, odd)
    const one = written('chart')
    see(passing('kubectl-edit', '1'), one)
    await turn()
    expect(state.doubts).toEqual([odd])
    see(passing('kubectl-edit', '2'), one)
    await turn()
    expect(state.asked).toBe(2)
  })
})
