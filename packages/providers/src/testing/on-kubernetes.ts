/** A test on a real cluster, with an installation and namespaces of its own that are cleared away after it. */
import type { TestContext } from 'vitest'
import { Kit } from '../contract/kit.ts'
import type { KubernetesOptions } from '../kubernetes/options.ts'
import { type KubernetesHarness, kubernetesHarness } from './kubernetes-harness.ts'
import { type KubernetesRig, kubernetesRig } from './kubernetes-rig.ts'

export type OnKubernetes = { readonly kit: Kit; readonly harness: KubernetesHarness; readonly rig: KubernetesRig }

export async function onKubernetes(
  { skip }: Pick<TestContext, 'skip'>,
  test: (on: OnKubernetes) => Promise<void>,
  more: Partial<KubernetesOptions> = {},
): Promise<void> {
  const rig = await kubernetesRig()
  if ('missing' in rig) return skip(rig.missing)
  await onCluster(rig, test, more)
}

export async function onCluster(
  rig: KubernetesRig,
  test: (on: OnKubernetes) => Promise<void>,
  more: Partial<KubernetesOptions> = {},
): Promise<void> {
  const harness = await kubernetesHarness(rig, more)
  const kit = new Kit(harness)
  try {
    await test({ kit, harness, rig })
  } finally {
    await kit.close()
    await harness.dispose()
  }
}
