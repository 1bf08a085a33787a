/** One object of an engine: applied when it differs, updates included; removed and looked for until it is gone. */
import { couldNotLook } from '../results/from-error.ts'
import { done, type Result, waiting } from '../results/result.ts'
import { configHash } from './config-hash.ts'
import type { Pass, Provisioner } from './provisioner.ts'
import type { ObservedResource, ResourceDriver } from './resource-driver.ts'

export type ResourceOptions<T> = {
  readonly name: string
  /** What the engine knows it by. */
  readonly id: string
  readonly driver: ResourceDriver<T>
  readonly desired: T
  /** What it still waits for; undefined: it works. Left out: being there is enough. */
  readonly waitsFor?: (object: T) => string | undefined
}

export function resource<T>(options: ResourceOptions<T>): Provisioner {
  const { name, id, driver, desired, waitsFor = () => undefined } = options
  const hash = configHash(desired)

  return {
    name,
    async provision(pass) {
      const before = await look(pass)
      if ('failed' in before) return before.failed
      if (before.seen?.deleting) return waiting('', `the earlier ${id} to be gone`)
      if (before.seen?.hash === hash && !before.seen.drifted) return working(before.seen)
      await driver.apply(id, desired, hash, pass)
      const after = await look(pass)
      if ('failed' in after) return after.failed
      return after.seen?.hash === hash ? working(after.seen) : waiting('', `${id} to appear`)
    },
    async deprovision(pass) {
      // With the cluster went everything on it, and there is nobody left to ask.
      if (pass.cluster && pass.cluster.config === undefined) return done()
      const before = await look(pass)
      if ('failed' in before) return before.failed
      if (!before.seen) return done()
      if (!before.seen.deleting) await driver.delete(id, pass)
      if (pass.cluster?.background) return done()
      const after = await look(pass)
      if ('failed' in after) return after.failed
      return after.seen ? waiting('', `${id} to be gone`) : done()
    },
  }

  async function look(pass: Pass): Promise<{ seen: ObservedResource<T> | undefined } | { failed: Result }> {
    try {
      return { seen: await driver.read(id, pass) }
    } catch (error) {
      pass.signal.throwIfAborted()
      return { failed: couldNotLook('', error) }
    }
  }

  function working({ object }: ObservedResource<T>): Result {
    const reason = waitsFor(object)
    return reason === undefined ? done() : waiting('', reason)
  }
}
