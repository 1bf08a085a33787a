import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../testing/folder.ts'
import { append, call, shop, sourceOf, storeAt, texts } from '../testing/store.ts'
import { type LogQuery, queryLogs } from './query.ts'

async function filled(folder: string) {
  const store = storeAt(folder)
  const old = await store.open(sourceOf('web', 0, 'old'))
  await append(old, [
    [10, 'old 10'],
    [20, 'old 20'],
  ])
  await old.close()
  const web = await store.open(sourceOf('web', 0, 'new'))
  const side = await store.open(sourceOf('side', 1, 'other', 'b'))
  await append(web, [
    [30, 'web 30'],
    [50, 'web 50'],
  ])
  await append(side, [
    [15, 'side 15'],
    [40, 'side 40'],
  ])
  await append(web, [[60, 'web 60']])
  return { store, web, side }
}

describe('logs of a workload', () => {
  const all = ['old 10', 'side 15', 'old 20', 'web 30', 'side 40', 'web 50', 'web 60']
  it.each<[string, Partial<LogQuery>, string[]]>([
    ['of everything, in order of time, with those of replicas that are gone', {}, all],
    ['of one service', { service: 'side' }, ['side 15', 'side 40']],
    ['of one replica by its index', { replica: 0 }, ['old 10', 'old 20', 'web 30', 'web 50', 'web 60']],
    ['since a time', { since: 40 }, ['side 40', 'web 50', 'web 60']],
    ['the last so many of all', { tail: 3 }, ['side 40', 'web 50', 'web 60']],
    ['none of what is past', { tail: 0 }, []],
    ['more than there are', { tail: 1000 }, all],
    ['the last so many since a time', { since: 15, tail: 2, service: 'side' }, ['side 15', 'side 40']],
    ['of the replica before', { previous: true }, ['old 10', 'old 20']],
    ['of nothing that is kept', { service: 'none' }, []],
  ])('are given %s', async (_, query, expected) => {
    await using folder = await temporaryFolder()
    const { store } = await filled(folder.path)
    expect(await texts(store, query)).toEqual(expected)
  })

  it('are those of sources that were opened at the same time, up to where each is written', async () => {
    await using folder = await temporaryFolder()
    const store = storeAt(folder.path)
    const appenders = await Promise.all([0, 1, 2].map((index) => store.open(sourceOf('web', index, `e${index}`))))
    for (const [index, appender] of appenders.entries()) await append(appender, [[index, `line ${index}`]])
    expect((await store.sources(shop, call)).map(({ isOpen }) => isOpen)).toEqual([true, true, true])
    expect(await texts(store, { tail: 2 })).toEqual(['line 1', 'line 2'])
  })

  it('of a workload that never wrote are an empty answer', async () => {
    await using folder = await temporaryFolder()
    expect(await texts(storeAt(folder.path))).toEqual([])
  })

  it('are followed into replicas that come, each line once, until nobody asks any more', async () => {
    await using folder = await temporaryFolder()
    const { store, web } = await filled(folder.path)
    const stop = new AbortController()
    const lines = queryLogs(store, { ...shop, follow: true, tail: 1 }, { signal: stop.signal })
    const next = async () => (await lines.next()).value?.text
    expect(await next()).toBe('web 60')
    const waiting = next()
    await append(web, [[70, 'web 70']])
    expect(await waiting).toBe('web 70')
    await append(web, [[80, 'web 80']])
    await web.close()
    const replaced = await store.open(sourceOf('web', 0, 'newer'))
    await append(replaced, [
      [75, 'newer 75'],
      [90, 'newer 90'],
    ])
    expect([await next(), await next(), await next()]).toEqual(['newer 75', 'web 80', 'newer 90'])
    const reason = new Error('enough')
    const last = next()
    stop.abort(reason)
    await expect(last).rejects.toBe(reason)
  })

  it('are told to a slow follower with a gap where they were removed before it came to them', async () => {
    await using folder = await temporaryFolder()
    const store = storeAt(folder.path, { workloadBytes: 300_000 })
    const web = await store.open(sourceOf('web', 0, 'e'))
    const long = 'x'.repeat(50_000)
    await append(web, [[1, `1 ${long}`]])
    const lines = queryLogs(store, { ...shop, follow: true }, call)
    const first = (await lines.next()).value
    expect(first?.text).toMatch(/^1 /)
    for (let at = 2; at <= 30; at += 1) await append(web, [[at, `${at} ${long}`]])
    const second = (await lines.next()).value
    expect(second).toMatchObject({ stream: 'gap', service: 'web', index: 0 })
    const rest: number[] = []
    while (rest.at(-1) !== 30) rest.push(Number.parseInt((await lines.next()).value?.text ?? '30', 10))
    const [from = 0] = rest
    expect(rest).toEqual(Array.from({ length: 31 - from }, (_, at) => from + at))
    await lines.return(undefined)
  })
})
