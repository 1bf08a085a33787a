/** Whatever is killed, delayed or failed where: repeated passes converge, and taking down leaves nothing. */
import { VirtualClock } from '@gantry/core/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Result } from '../results/result.ts'
import { breaking, type Mishap } from '../testing/breaking.ts'
import { MemoryApplications } from '../testing/memory-applications.ts'
import { MemoryClusterSource, MemoryClusters } from '../testing/memory-clusters.ts'
import { MemoryResources } from '../testing/memory-resources.ts'
import { application } from './application/application.ts'
import { concurrent } from './concurrent.ts'
import { conditional } from './conditional.ts'
import { enter } from './enter.ts'
import { newPass, type Pass, type Provisioner, type Verb } from './provisioner.ts'
import { remoteCluster } from './remote/remote-cluster.ts'
import { resource } from './resource.ts'
import { serial } from './serial.ts'

type Tree =
  | { readonly type: 'resource' | 'application' }
  | { readonly type: 'serial' | 'concurrent' | 'remote'; readonly children: readonly Tree[] }
  | { readonly type: 'conditional'; readonly on: boolean; readonly child: Tree }

const { tree: anyTree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ type: fc.constantFrom('resource' as const, 'application' as const) }),
    fc.record({
      type: fc.constantFrom('serial' as const, 'concurrent' as const, 'remote' as const),
      children: fc.array(tie('tree'), { maxLength: 4 }),
    }),
    fc.record({ type: fc.constant('conditional' as const), on: fc.boolean(), child: tie('tree') }),
  ),
}))

const mishap = fc.constantFrom<Mishap | undefined>('fails before', 'fails after', 'hangs', undefined, undefined)

class World {
  readonly clock = new VirtualClock()
  readonly resources = new MemoryResources({ removalPasses: 3 })
  readonly applications = new MemoryApplications({ clock: this.clock, installMs: 700, removeMs: 1500 })
  readonly clusters = new MemoryClusters()
  readonly #mishaps: (Mishap | undefined)[]
  readonly #lingering: boolean[]
  readonly #walking = new Set<Promise<unknown>>()
  readonly inside = new Set<string>()
  readonly violations: string[] = []

  constructor(mishaps: readonly (Mishap | undefined)[], lingering: readonly boolean[] = []) {
    this.#mishaps = [...mishaps]
    this.#lingering = [...lingering]
  }

  /** Mishaps are used up one by one; afterwards everything works. */
  readonly next = (): Mishap | undefined => this.#mishaps.shift()

  add(one: Mishap | undefined): void {
    this.#mishaps.push(one)
  }

  build(tree: Tree, name: string): Provisioner {
    return this.#watched(this.#make(tree, name))
  }

  /** Notes when a step is entered while somebody is inside it. Some steps linger: they do not hear that they were killed. */
  #watched(step: Provisioner): Provisioner {
    const watch = async (verb: Verb, pass: Pass): Promise<Result> => {
      if (this.inside.has(step.name)) this.violations.push(step.name)
      this.inside.add(step.name)
      if (this.#lingering.shift()) await new Promise<void>((resolve) => void this.clock.after(700, resolve))
      return step[verb](pass).finally(() => this.inside.delete(step.name))
    }
    return {
      name: step.name,
      provision: (pass) => watch('provision', pass),
      deprovision: (pass) => watch('deprovision', pass),
    }
  }

  #make(tree: Tree, name: string): Provisioner {
    const each = (children: readonly Tree[]) => children.map((child, index) => this.build(child, `${name}.${index}`))
    switch (tree.type) {
      case 'resource':
        return resource({ name, id: name, driver: breaking(this.resources, this.next), desired: { name } })
      case 'application':
        return this.#application(name)
      case 'serial':
        return serial(name, each(tree.children))
      case 'concurrent':
        return concurrent(name, each(tree.children), { limit: 2 })
      case 'conditional':
        return conditional(name, () => tree.on, this.build(tree.child, `${name}.c`))
      case 'remote':
        return this.#remote(name, each(tree.children))
      default:
        return tree satisfies never
    }
  }

  #application(name: string): Provisioner {
    const versions = [{ version: '1.0.0', repo: 'oci://charts', source: { chart: name } }]
    const driver = breaking(this.applications, this.next)
    return application({ name, owner: {}, driver, catalogue: async () => ({ name, versions }), version: '1.0.0' })
  }

  #remote(name: string, children: readonly Provisioner[]): Provisioner {
    const source = breaking(new MemoryClusterSource(name, { server: name, kubeconfig: name }), this.next)
    const driver = breaking(this.clusters, this.next)
    const remote = remoteCluster({ name: `${name}.r`, source, driver })
    return concurrent(
      name,
      children.map((child) => remote.on(child)),
    )
  }

  /** One pass, killed if it hangs. Undefined: it was killed; it may still be inside when the next one starts. */
  async pass(root: Provisioner, verb: Verb): Promise<Result | undefined> {
    const control = new AbortController()
    const killed = new Error('killed')
    let result: Result | undefined
    const walking = enter(root, verb, newPass({ signal: control.signal })).then(
      (ended) => {
        result = ended
      },
      (error: unknown) => {
        if (error !== killed) this.violations.push(`ended with ${String(error)}`)
      },
    )
    this.#walking.add(walking)
    await this.clock.advance(300)
    control.abort(killed)
    await this.clock.advance(0)
    return result
  }

  /** Waits for every pass that was killed and did not notice. */
  async settled(): Promise<void> {
    await this.clock.advance(100_000)
    await Promise.all(this.#walking)
  }

  async repeat(root: () => Provisioner, verb: Verb): Promise<number> {
    for (let passes = 1; passes <= 150; passes++) {
      if ((await this.pass(root(), verb))?.state === 'done') return passes
    }
    throw new Error(`not ${verb}ed after 150 passes`)
  }
}

/** The leaves that are wanted: not those below a condition that is off. */
function wanted(tree: Tree, name: string): string[] {
  if ('child' in tree) return tree.on ? wanted(tree.child, `${name}.c`) : []
  if (!('children' in tree)) return [name]
  return tree.children.flatMap((child, index) => wanted(child, `${name}.${index}`))
}

function leavesOf(tree: Tree, type: 'resource' | 'application', name = 'root'): string[] {
  if ('child' in tree) return leavesOf(tree.child, type, `${name}.c`)
  if (!('children' in tree)) return tree.type === type ? [name] : []
  return tree.children.flatMap((child, index) => leavesOf(child, type, `${name}.${index}`))
}

describe('any tree', () => {
  it.each([
    ['the same tree in every pass', false],
    ['a tree made anew for every pass', true],
  ])('converges, and leaves nothing when it is taken down, with %s', async (_, fresh) => {
    await fc.assert(
      fc.asyncProperty(
        anyTree,
        fc.array(mishap, { maxLength: 25 }),
        fc.array(mishap, { maxLength: 25 }),
        async (tree, up, down) => {
          const world = new World([...up])
          const kept = world.build(tree, 'root')
          const root = () => (fresh ? world.build(tree, 'root') : kept)
          await world.repeat(root, 'provision')
          const leaves = new Set(wanted(tree, 'root'))
          expect(new Set(world.resources.ids())).toEqual(
            new Set(leavesOf(tree, 'resource').filter((leaf) => leaves.has(leaf))),
          )
          expect(world.applications.size).toBe(leavesOf(tree, 'application').filter((leaf) => leaves.has(leaf)).length)

          for (const one of down) world.add(one)
          await world.repeat(root, 'deprovision')
          expect(world.resources.size).toBe(0)
          expect(world.applications.size).toBe(0)
          expect([...world.clusters.registered.keys()]).toEqual([])
          expect(world.violations).toEqual([])
          expect(world.clock.pending).toBe(0)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('is never entered twice at once, also by passes that overlap or were killed and linger', async () => {
    const verbs = fc.array(fc.constantFrom<Verb>('provision', 'deprovision'), { maxLength: 8 })
    const lingering = fc.array(fc.boolean(), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(
        anyTree,
        fc.array(mishap, { maxLength: 25 }),
        lingering,
        verbs,
        async (tree, mishaps, slow, order) => {
          const world = new World(mishaps, slow)
          const root = world.build(tree, 'root')
          await Promise.all(order.map((verb) => world.pass(root, verb)))
          await world.repeat(() => root, 'provision')
          await world.repeat(() => root, 'deprovision')
          await world.settled()
          expect(world.violations).toEqual([])
          expect(world.inside.size).toBe(0)
          expect(world.resources.size + world.applications.size).toBe(0)
        },
      ),
      { numRuns: 60 },
    )
  })
})
