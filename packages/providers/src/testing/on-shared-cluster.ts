/** The rig's cluster for all tests of a block, reached before the first. Where there is none, each is skipped with the reason. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type KubernetesRig, kubernetesRig, type OwnNamespace } from './kubernetes-rig.ts'

export type OnSharedCluster = { readonly rig: KubernetesRig }
export type InOwnNamespace = OnSharedCluster & { readonly namespace: string }

/** `prepare`: what the tests want to find, made once; whoever makes it takes it away. */
export function onSharedCluster(prepare: (rig: KubernetesRig) => Promise<void>): OnSharedCluster {
  let found: KubernetesRig | { readonly missing: string } = { missing: 'the cluster was not looked for yet' }
  beforeAll(async () => {
    found = await kubernetesRig()
    if (!('missing' in found)) await prepare(found)
  })
  beforeEach(({ skip }) => {
    if ('missing' in found) skip(found.missing)
  })
  return {
    get rig() {
      if ('missing' in found) throw new Error(found.missing)
      return found
    },
  }
}

/** With a namespace that nobody else has, which is removed after the last test. */
export function inOwnNamespace(prepare?: (on: InOwnNamespace) => Promise<void>): InOwnNamespace {
  let own: OwnNamespace | undefined
  const shared = onSharedCluster(async (rig) => {
    own = await rig.ownNamespace()
    await prepare?.({ rig, namespace: own.name })
  })
  afterAll(() => own?.end())
  return {
    get rig() {
      return shared.rig
    },
    get namespace() {
      if (!own) throw new Error('the namespace was not made yet')
      return own.name
    },
  }
}
