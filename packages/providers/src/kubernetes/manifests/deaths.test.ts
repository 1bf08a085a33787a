import { isFault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { label } from '../../labels.ts'
import { call, onSets, type SetRig, untilDone } from '../../testing/set-rig.ts'
import type { Resource } from '../api/api.ts'
import { resources } from '../api/resources.ts'
import { countedApi } from './testing/counted-api.ts'

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: toys.d__ID__.example.invalid}
spec:
  group: d__ID__.example.invalid
  scope: Namespaced
  names: {plural: toys, singular: toy, kind: Toy}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
`
const configMap = (name: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {a: "${value}"}\n`
const toy = (name: string): string =>
  `apiVersion: d__ID__.example.invalid/v1\nkind: Toy\nmetadata: {name: ${name}}\nspec: {size: 1}\n`
const text = (...documents: string[]): string => documents.join('---\n')

const first = text(toy('bear'), definition, configMap('same', '1'), configMap('changes', '1'), configMap('leaves', '1'))
const second = text(toy('duck'), definition, configMap('same', '1'), configMap('changes', '2'), configMap('comes', '1'))

class Died extends Error {}

/** What is there of ours, past what is tested. */
async function thereOf({ rig, id, installation }: SetRig): Promise<string[]> {
  const toys: Resource = {
    group: `d${id}.example.invalid`,
    version: 'v1',
    kind: 'Toy',
    plural: 'toys',
    namespaced: true,
  }
  const lists = await Promise.all(
    [resources.configMap, resources.customResourceDefinition, toys].map(async (resource) => {
      const which = { labelSelector: `${label.installation}=${installation}`, metadataOnly: true }
      const items = await rig.api.objects.list({ resource }, which, call).then(
        (listed) => listed.items,
        (error: unknown) => {
          if (isFault(error) && error.reason === 'engine_object_not_found') return []
          throw error
        },
      )
      return items.map(({ metadata: { name } }) => `${resource.kind}/${name}`)
    }),
  )
  return lists
    .flat()
    .map((name) => name.replace(/gantry-set-.*/, 'record').replaceAll(id, ''))
    .sort()
}

const definitionThere = 'CustomResourceDefinition/toys.d.example.invalid'
const afterFirst = [
  'ConfigMap/changes',
  'ConfigMap/leaves',
  'ConfigMap/record',
  'ConfigMap/same',
  definitionThere,
  'Toy/bear',
]
const afterSecond = [
  'ConfigMap/changes',
  'ConfigMap/comes',
  'ConfigMap/record',
  'ConfigMap/same',
  definitionThere,
  'Toy/duck',
]

/** Dies after every write of `work` in turn, from the same beginning, until it gets through; what is there then is `check`ed. */
async function dyingEverywhere(
  rig: SetRig,
  prepare: () => Promise<void>,
  work: (sets: ReturnType<SetRig['setsWith']>) => Promise<unknown>,
  check: (deaths: number) => Promise<void>,
): Promise<number> {
  for (let at = 1; ; at += 1) {
    await prepare()
    const { api } = countedApi(rig.rig.api, (count) => {
      if (count === at) throw new Died()
    })
    let died = false
    try {
      await work(rig.setsWith({ api }))
    } catch (error) {
      if (!(error instanceof Died)) throw error
      died = true
    }
    await check(at)
    if (!died) return at - 1
  }
}

describe.concurrent('a death after any write', () => {
  it('leaks nothing and loses nothing of a new set', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      const desired = rig.desired(first)
      const deaths = await dyingEverywhere(
        rig,
        async () => {
          await rig.removed(desired.ref)
          expect(await thereOf(rig)).toEqual([])
        },
        (sets) => rig.converged(desired, sets),
        async () => {
          await rig.converged(desired)
          expect(await thereOf(rig)).toEqual(afterFirst)
        },
      )
      // The record twice at least, and every object.
      expect(deaths).toBeGreaterThanOrEqual(7)
    })
  })

  it('of a new set is cleaned up by a removal alone', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      const desired = rig.desired(first)
      await dyingEverywhere(
        rig,
        async () => undefined,
        (sets) => rig.converged(desired, sets),
        async () => {
          await rig.removed(desired.ref)
          expect(await thereOf(rig)).toEqual([])
        },
      )
    })
  })

  it('of a change is made good, with everything pruned that left', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      const before = rig.desired(first)
      const after = rig.desired(second, { release: 'r2' })
      const deaths = await dyingEverywhere(
        rig,
        async () => {
          await rig.converged(before)
          expect(await thereOf(rig)).toEqual(afterFirst)
        },
        (sets) => rig.converged(after, sets),
        async () => {
          await rig.converged(after)
          expect(await thereOf(rig)).toEqual(afterSecond)
          const { stdout } = await rig.kubectl('get', 'configmap', 'changes', '-o', 'jsonpath={.data.a}')
          expect(stdout).toBe('2')
        },
      )
      expect(deaths).toBeGreaterThanOrEqual(7)
    })
  })

  it('of a change that is given up for another leaves nothing of either behind', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      const before = rig.desired(first)
      const after = rig.desired(second, { release: 'r2' })
      const third = rig.desired(configMap('third', '3'), { release: 'r3' })
      await dyingEverywhere(
        rig,
        async () => void (await rig.converged(before)),
        (sets) => rig.converged(after, sets),
        async () => {
          await rig.converged(third)
          expect(await thereOf(rig)).toEqual(['ConfigMap/record', 'ConfigMap/third'])
        },
      )
    })
  })

  it('of a removal goes on where it was', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      const desired = rig.desired(first)
      await dyingEverywhere(
        rig,
        async () => void (await rig.converged(desired)),
        (sets) => untilDone((within) => sets.remove(desired.ref, within)),
        async () => {
          await rig.removed(desired.ref)
          expect(await thereOf(rig)).toEqual([])
          expect(await rig.sets.look(desired.ref, call)).toBeUndefined()
        },
      )
    })
  })
})
