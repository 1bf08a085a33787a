import { Fault } from '@gantry/core'
import { beforeEach, describe, expect, it } from 'vitest'
import { waiting } from '../../results/result.ts'
import { breaking } from '../../testing/breaking.ts'
import { MemoryClusterSource, MemoryClusters } from '../../testing/memory-clusters.ts'
import { ScriptedStep } from '../../testing/scripted-step.ts'
import { concurrent } from '../concurrent.ts'
import { conditional } from '../conditional.ts'
import { enter } from '../enter.ts'
import { newPass, type Provisioner, type Verb } from '../provisioner.ts'
import { serial } from '../serial.ts'
import { type RemoteClusterOptions, remoteCluster } from './remote-cluster.ts'

const call = { signal: new AbortController().signal }
const kubeconfig = { server: 'https://blue', kubeconfig: 'secret' }
let clusters: MemoryClusters
let source: MemoryClusterSource
let journal: string[]

beforeEach(() => {
  clusters = new MemoryClusters()
  source = new MemoryClusterSource('blue', kubeconfig)
  journal = []
})

const remote = (more: Partial<RemoteClusterOptions> = {}) =>
  remoteCluster({ name: 'remote', source, driver: clusters, ...more })
const step = (name: string, answers = {}) => new ScriptedStep(name, journal, answers)
const walk = (root: Provisioner, verb: Verb = 'provision') => enter(root, verb, newPass(call))

function pair(answers: Record<string, object> = {}, more: Partial<RemoteClusterOptions> = {}) {
  const blue = remote(more)
  return concurrent('root', [blue.on(step('cni', answers.cni)), blue.on(step('ccm', answers.ccm))])
}

describe('going up', () => {
  it('registers the cluster once in a pass, and puts every step into its scope', async () => {
    const scopes: unknown[] = []
    const seeing = {
      provision: [
        async ({ cluster }: { cluster: unknown }) => {
          scopes.push(cluster)
          return waiting('', 'pods')
        },
      ],
    }
    const result = await walk(pair({ cni: seeing, ccm: seeing }))
    expect(clusters.journal).toEqual(['register blue'])
    expect(scopes).toEqual(Array(2).fill({ id: 'blue', config: kubeconfig, background: false }))
    expect(result).toMatchObject({ state: 'yield', path: 'root/remote/cni' })
  })

  it('registers it again in the next pass, so that a rotated certificate arrives', async () => {
    const tree = pair()
    await walk(tree)
    source.kubeconfig = { ...kubeconfig, kubeconfig: 'rotated' }
    await walk(tree)
    expect(clusters.registered.get('blue')).toEqual({ ...kubeconfig, kubeconfig: 'rotated' })
    expect(source.looks).toBe(2)
  })

  it('fails every step of the pass when the registration fails, and enters none', async () => {
    const driver = breaking(clusters, () => 'fails before')
    const result = await walk(pair({}, { driver }))
    expect(journal).toEqual([])
    expect(result.parts?.map(({ path, state }) => [path, state])).toEqual([
      ['root/remote', 'transient'],
      ['root/remote', 'transient'],
    ])
  })

  it('tells a refusal from a wait: a registration that is not allowed is no yield', async () => {
    const refusal = new Fault('schema', 'the certificate is not one')
    const driver = { register: () => Promise.reject(refusal), unregister: () => Promise.resolve() }
    expect(await walk(pair({}, { driver }))).toMatchObject({ state: 'permanent', fault: refusal })
  })

  it('waits while the cluster has no kubeconfig, and while it does not answer', async () => {
    source.kubeconfig = undefined
    expect(await walk(pair())).toMatchObject({ state: 'yield', reason: 'the kubeconfig of blue' })
    source.kubeconfig = kubeconfig
    clusters.answering = false
    expect(await walk(pair())).toMatchObject({ state: 'yield', reason: 'blue to answer' })
    expect(journal).toEqual([])
  })

  it('leaves registering to somebody else, where there is no driver', async () => {
    const blue = remoteCluster({ name: 'remote', source })
    expect(await walk(blue.on(step('cni')))).toMatchObject({ state: 'done' })
    expect(clusters.journal).toEqual([])
  })
})

describe('coming down', () => {
  it('unregisters after the last step was seen to be gone, and not before', async () => {
    const tree = pair({ ccm: { deprovision: [waiting('', 'ccm to be gone')] } })
    await walk(tree)
    expect(await walk(tree, 'deprovision')).toMatchObject({ state: 'yield' })
    expect(clusters.registered.has('blue')).toBe(true)
    expect(await walk(tree, 'deprovision')).toMatchObject({ state: 'done' })
    expect(clusters.registered.has('blue')).toBe(false)
    expect(clusters.journal.filter((entry) => entry.startsWith('unregister'))).toHaveLength(1)
  })

  it('does not unregister when a feature is switched off beside one that stays', async () => {
    const blue = remote()
    const tree = serial('root', [blue.on(step('cni')), conditional('monitoring', () => false, blue.on(step('prom')))])
    expect(await walk(tree)).toMatchObject({ state: 'done' })
    expect(journal).toEqual(['+cni', '-prom'])
    expect(clusters.journal).toEqual(['register blue'])
  })

  it('is not done when it could not be unregistered, and tries again', async () => {
    let first = true
    const driver = breaking(clusters, (method) => {
      if (method !== 'unregister' || !first) return undefined
      first = false
      return 'fails before'
    })
    const tree = pair({}, { driver })
    await walk(tree)
    expect(await walk(tree, 'deprovision')).toMatchObject({ state: 'transient' })
    expect(await walk(tree, 'deprovision')).toMatchObject({ state: 'done' })
    expect(clusters.registered.size).toBe(0)
  })

  it('tells the steps that their cluster is gone when its kubeconfig is', async () => {
    const scopes: unknown[] = []
    const tree = remote().on(
      step('cni', {
        deprovision: [
          async ({ cluster }: { cluster: unknown }) => {
            scopes.push(cluster)
            return waiting('', 'cni to be gone')
          },
        ],
      }),
    )
    await walk(tree)
    source.kubeconfig = undefined
    await walk(tree, 'deprovision')
    expect(scopes).toEqual([{ id: 'blue', config: undefined, background: false }])
    expect(await walk(tree, 'deprovision')).toMatchObject({ state: 'done' })
    expect(clusters.registered.size).toBe(0)
  })

  it('touches nothing when the kubeconfig is only unreadable', async () => {
    const unreadable = breaking(source, () => 'fails before')
    const tree = pair({}, { source: unreadable })
    expect(await walk(tree, 'deprovision')).toMatchObject({ state: 'transient', blind: true, path: 'root/remote' })
    expect(journal).toEqual([])
    expect(clusters.journal).toEqual([])
  })

  it('tells background removal to the steps that asked for it, and to no others', async () => {
    const seen: unknown[] = []
    const look = {
      deprovision: [
        async ({ cluster }: { cluster: { background: boolean } | undefined }) => {
          seen.push(cluster?.background)
          return waiting('', 'it to be gone')
        },
      ],
    }
    const blue = remote()
    const tree = concurrent('root', [blue.on(step('a', look), { background: true }), blue.on(step('b', look))])
    await walk(tree, 'deprovision')
    expect(seen).toEqual([true, false])
  })

  it('works for a cluster inside a cluster', async () => {
    const inner = new MemoryClusterSource('inner', { server: 'https://inner', kubeconfig: 'k' })
    const outer = remote()
    const nested = remoteCluster({ name: 'vcluster', source: inner, driver: clusters })
    const tree = outer.on(nested.on(step('app')))
    expect(await walk(tree)).toMatchObject({ state: 'done' })
    expect([...clusters.registered.keys()]).toEqual(['blue', 'inner'])
    expect(await walk(tree, 'deprovision')).toMatchObject({ state: 'done' })
    expect(clusters.journal.slice(2)).toEqual(['unregister inner', 'unregister blue'])
  })
})
