/** A test on a real engine, with an installation of its own that is cleared away after it. */
import type { TestContext } from 'vitest'
import type { Harness } from '../contract/harness.ts'
import { Kit } from '../contract/kit.ts'

export type Missing = { readonly missing: string }
export type OnEngine<Rig, H> = { readonly kit: Kit; readonly harness: H; readonly rig: Rig }
type Test<Rig, H> = (on: OnEngine<Rig, H>) => Promise<void>

type Parts<Rig, H, Options> = {
  /** The engine that all tests of this machine share, or why there is none. */
  readonly reach: () => Promise<Rig | Missing>
  readonly open: (rig: Rig, more: Partial<Options>) => Promise<H>
}

export function onEngine<Rig extends object, H extends Harness, Options>({ reach, open }: Parts<Rig, H, Options>) {
  /** On this one, whoever else uses it. */
  async function at(rig: Rig, test: Test<Rig, H>, more: Partial<Options> = {}): Promise<void> {
    const harness = await open(rig, more)
    const kit = new Kit(harness)
    try {
      await test({ kit, harness, rig })
    } finally {
      await kit.close()
      await harness.dispose()
    }
  }

  /** On the one that all share; skipped with the reason where there is none. */
  async function shared(
    { skip }: Pick<TestContext, 'skip'>,
    test: Test<Rig, H>,
    more: Partial<Options> = {},
  ): Promise<void> {
    const rig = await reach()
    if (isMissing(rig)) return skip(rig.missing)
    await at(rig, test, more)
  }

  return { at, shared }
}

const isMissing = (found: object): found is Missing => 'missing' in found
