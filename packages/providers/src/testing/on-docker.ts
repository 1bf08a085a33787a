/** A test on a real engine, with an installation of its own that is cleared away after it. */
import type { TestContext } from 'vitest'
import { Kit } from '../contract/kit.ts'
import type { DockerOptions } from '../docker/options.ts'
import { type DockerHarness, dockerHarness } from './docker-harness.ts'
import { type DockerRig, dockerRig } from './docker-rig.ts'

export type OnDocker = { readonly kit: Kit; readonly harness: DockerHarness; readonly rig: DockerRig }

export async function onDocker(
  { skip }: Pick<TestContext, 'skip'>,
  test: (on: OnDocker) => Promise<void>,
  more: Partial<DockerOptions> = {},
): Promise<void> {
  const rig = await dockerRig()
  if ('missing' in rig) return skip(rig.missing)
  await onRig(rig, test, more)
}

export async function onRig(
  rig: DockerRig,
  test: (on: OnDocker) => Promise<void>,
  more: Partial<DockerOptions> = {},
): Promise<void> {
  const harness = await dockerHarness(rig, more)
  const kit = new Kit(harness)
  try {
    await test({ kit, harness, rig })
  } finally {
    await kit.close()
    await harness.dispose()
  }
}
