import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { label } from '../../labels.ts'
import { call, onSets, type SetRig, untilDone } from '../../testing/set-rig.ts'
import { readSet } from './read/read-set.ts'
import { countedApi } from './testing/counted-api.ts'

const folder = join(import.meta.dirname, 'testing', 'corpus')
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))

/** kubectl refuses what only a server can say, which we leave out, and a List in a List. */
const notForKubectl = new Set(['exported.yaml', 'list-nested.yaml'])

const kept = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept}\n'

describe.concurrent('manifests on a real cluster', () => {
  it('are at least fifty', () => {
    expect(files.length).toBeGreaterThanOrEqual(50)
  })

  it.each(files)(
    '%s is applied, agrees with kubectl, costs nothing unchanged, and is pruned',
    async (name, ...rest) => {
      const context = rest.at(-1) as unknown as { skip: (why: string) => unknown }
      await onSets(context ?? { skip: () => undefined }, (rig) => wholeLife(rig, name))
    },
  )
})

async function wholeLife(rig: SetRig, name: string): Promise<void> {
  const text = readFileSync(join(folder, name), 'utf8')
  const waits = /^# waits: (.*)$/m.exec(text)?.[1]
  const desired = rig.desired(text)
  expect(rig.sets.check(desired)).toEqual([])
  const { objects } = readSet(rig.fill(text))
  if (waits === undefined) await rig.converged(desired)
  else {
    await untilDone(async (within) => {
      const pass = await rig.sets.converge(desired, within)
      const isReached = pass.state === 'yield' && new RegExp(waits).test(pass.reason)
      return isReached ? { state: 'done' } : pass
    })
  }

  if (!notForKubectl.has(name)) await agrees(rig, text, objects.length)

  const { api, writes } = countedApi(rig.rig.api)
  await rig.setsWith({ api }).converge(desired, call)
  expect(writes).toEqual([])

  const observed = await rig.sets.look(desired.ref, call)
  expect(Object.keys(observed?.replicas[0]?.services ?? {})).toHaveLength(objects.length)
  expect(observed?.replicas[0]?.ready).toBe(waits === undefined)
  expect(observed?.drift).toEqual([])

  const file = await rig.file(text)
  await rig.converged(rig.desired(kept, { release: 'r2' }))
  if (!notForKubectl.has(name)) {
    // A kind that went with its definition is unknown to kubectl now.
    const left = await rig.kubectl('get', '-f', file, '--ignore-not-found', '-o', 'name')
    expect(left.stdout).toBe('')
    expect(left.stderr.replaceAll(/^(?:.*no matches for kind |ensure CRDs|Warning: ).*$\n?/gm, '')).toBe('')
  }
  await rig.removed(desired.ref)
  const gone = await rig.kubectl('get', 'configmaps', '-l', `${label.installation}=${rig.installation}`, '-o', 'name')
  expect(gone).toMatchObject({ code: 0, stdout: '' })
}

async function agrees(rig: SetRig, text: string, count: number): Promise<void> {
  const file = await rig.file(text)
  // Another manager has conflicts also where the server keeps a value in other words (0.5Gi); the outcome is what counts.
  const diff = await rig.kubectl('diff', '--server-side', '--force-conflicts', '-f', file)
  expect(diff).toEqual({ code: 0, stdout: '', stderr: expect.not.stringContaining('error') })
  const dry = await rig.kubectl('apply', '--server-side', '--force-conflicts', '--dry-run=server', '-f', file)
  expect(dry.code, dry.stderr).toBe(0)
  const got = await rig.kubectl('get', '-f', file, '-o', 'json')
  expect(got.code, got.stderr).toBe(0)
  const read = JSON.parse(got.stdout) as { items?: { metadata: { labels: Record<string, string> } }[] }
  const items = read.items ?? [read as { metadata: { labels: Record<string, string> } }]
  expect(items).toHaveLength(count)
  for (const { metadata } of items) expect(metadata.labels[label.uid]).toBe(rig.ref().uid)
}
