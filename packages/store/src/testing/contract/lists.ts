import { describe, expect, it } from 'vitest'
import type { ListQuery, Store } from '../../store.ts'
import {
  call,
  create,
  freshTenant,
  type MakeSubject,
  made,
  names,
  refused,
  replace,
  sharedStore,
  system,
  write,
} from './subject.ts'

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `n-${String(at).padStart(3, '0')}`)

async function allPages(
  store: Store,
  query: ListQuery,
  between: (page: number) => Promise<unknown>,
): Promise<string[]> {
  const seen: string[] = []
  let next: string | undefined
  for (let page = 1; ; page += 1) {
    const { items, continue: more } = await store.list(
      system,
      next === undefined ? query : { ...query, continue: next },
      call,
    )
    seen.push(...items.map((item) => `${item.metadata.tenant}/${item.metadata.name}`))
    if (more === undefined) return seen
    next = more
    await between(page)
  }
}

export function listsContract(make: MakeSubject): void {
  describe('lists', () => {
    const store = sharedStore(make)
    const fill = (keys: readonly ReturnType<ReturnType<typeof freshTenant>['key']>[]) =>
      store().write(
        system,
        keys.map((key) => create(key)),
        {},
        call,
      )

    it('come in pages, in order, without a token after the last', async () => {
      const { tenant, key } = freshTenant()
      await fill(numbered(10).map((name) => key(name)))
      await fill(['B', 'a', 'n-000-1'].map((name) => key(name)))
      const query = { kind: 'Thing', tenant, limit: 4 }
      const pages = await allPages(store(), query, async () => undefined)
      const sorted = [...numbered(10), 'B', 'a', 'n-000-1'].sort((a, b) => (a < b ? -1 : 1))
      expect(pages).toEqual(sorted.map((name) => `${tenant}/${name}`))
      expect((await store().list(system, { ...query, limit: 13 }, call)).continue).toBeUndefined()
      expect((await store().list(system, { ...query, kind: 'Other' }, call)).items).toEqual([])
    })

    it('show what existed throughout exactly once, whatever is written meanwhile', async () => {
      const [one, two] = [freshTenant(), freshTenant()]
      const kind = `Kind-${one.tenant}`
      await fill(numbered(30).flatMap((name) => [one.key(name, kind), two.key(name, kind)]))
      const seen = await allPages(store(), { kind, limit: 7 }, async (page) => {
        const odd = numbered(30).at(page * 2 + 1) ?? ''
        await write(store(), { op: 'delete', key: one.key(odd, kind) })
        await made(store(), one.key(`m-${page}`, kind))
        await made(store(), two.key(`z-${page}`, kind))
        await write(store(), replace(two.key('n-001', kind), { size: page + 5 }))
      })
      expect(new Set(seen).size).toBe(seen.length)
      const stayed = [
        ...numbered(30).map((name) => `${two.tenant}/${name}`),
        `${one.tenant}/n-000`,
        `${one.tenant}/n-028`,
      ]
      expect(seen).toEqual(expect.arrayContaining(stayed))
    })

    it('give on every page the version that a watch can begin from', async () => {
      const { tenant, key } = freshTenant()
      await fill(numbered(3).map((name) => key(name)))
      const first = await store().list(system, { kind: 'Thing', tenant, limit: 2 }, call)
      await made(store(), key('later'))
      const query = { kind: 'Thing', tenant, limit: 2, continue: String(first.continue) }
      expect((await store().list(system, query, call)).resourceVersion).toBe(first.resourceVersion)
    })

    it('select by labels', async () => {
      const { tenant, key } = freshTenant()
      const labels = {
        a: { tier: 'web', team: 'x' },
        b: { tier: 'web', team: 'y' },
        c: { tier: 'db', team: 'x' },
        d: {},
        e: { tier: '' },
      }
      await store().write(
        system,
        Object.entries(labels).map(([name, own]) => create(key(name), { labels: own })),
        {},
        call,
      )
      const rows: [string, string][] = [
        ['tier=web', 'ab'],
        ['tier==web,team=x', 'a'],
        ['tier!=web', 'cde'],
        ['tier in (web, db)', 'abc'],
        ['tier in (web, db), team=x', 'ac'],
        ['tier in (web, db), team in (x, y), team!=y', 'ac'],
        ['tier notin (web, db)', 'de'],
        ['tier', 'abce'],
        ['!tier', 'd'],
        ['tier=', 'e'],
        ['team, tier notin (web)', 'c'],
        ['none=such', ''],
        ['', 'abcde'],
      ]
      for (const [labelSelector, expected] of rows) {
        const { items } = await store().list(system, { kind: 'Thing', tenant, limit: 10, labelSelector }, call)
        expect([labelSelector, names(items).join('')]).toEqual([labelSelector, expected])
        const paged = await allPages(store(), { kind: 'Thing', tenant, limit: 1, labelSelector }, async () => undefined)
        expect([labelSelector, paged.map((name) => name.slice(-1)).join('')]).toEqual([labelSelector, expected])
      }
    })

    it('select by the labels of now, and across tenants', async () => {
      const [one, two] = [freshTenant(), freshTenant()]
      const kind = `Kind-${one.tenant}`
      await made(store(), one.key('a', kind), { labels: { on: 'yes' } })
      await made(store(), two.key('a', kind), { labels: { on: 'no' } })
      await write(store(), replace(one.key('a', kind), { size: 1 }, { labels: { on: 'no' } }))
      await write(store(), replace(two.key('a', kind), { size: 1 }, { labels: { on: 'yes' } }))
      const { items } = await store().list(system, { kind, limit: 10, labelSelector: 'on in (yes, maybe)' }, call)
      expect(items.map((item) => item.metadata.tenant)).toEqual([two.tenant])
      await write(store(), { op: 'delete', key: two.key('a', kind) })
      expect((await store().list(system, { kind, limit: 10, labelSelector: 'on=yes' }, call)).items).toEqual([])
    })

    it('refuse a token that is not theirs, a limit that is none, and a selector they do not understand', async () => {
      const { tenant, key } = freshTenant()
      await fill(numbered(3).map((name) => key(name)))
      const { continue: token } = await store().list(system, { kind: 'Thing', tenant, limit: 1 }, call)
      const list = (query: Partial<ListQuery>) =>
        store().list(system, { kind: 'Thing', tenant, limit: 1, ...query }, call)
      await expect(list({ continue: String(token), labelSelector: 'a' })).rejects.toEqual(refused('schema', 'continue'))
      for (const bad of ['', 'x', 'W10', Buffer.from('[1,"\\u0000","",""]').toString('base64url')]) {
        await expect(list({ continue: bad })).rejects.toEqual(refused('schema', 'continue'))
      }
      for (const limit of [0, -1, 1.5, 5001, Number.NaN])
        await expect(list({ limit })).rejects.toEqual(refused('schema', 'limit'))
      await expect(list({ labelSelector: '((' })).rejects.toEqual(refused('schema', 'labelSelector'))
    })
  })
}
