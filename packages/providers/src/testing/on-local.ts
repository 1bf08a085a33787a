/** The local engine for a test, in folders of its own that are gone after it. */
import { onTestFinished } from 'vitest'
import { Kit } from '../contract/kit.ts'
import { type LocalHarness, localHarness } from './local-harness.ts'

export type OnLocal = { readonly kit: Kit; readonly harness: LocalHarness }

/** As many as a test wants. */
export async function onLocal(): Promise<OnLocal> {
  const harness = await localHarness()
  const kit = new Kit(harness)
  onTestFinished(async () => {
    await kit.close()
    await harness.dispose()
  })
  return { kit, harness }
}
