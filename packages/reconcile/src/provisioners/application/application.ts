/** One application of the catalogue, through a tool that installs it: gated on health, and on being really gone. */
import { Fault, type ObjectKey } from '@gantry/core'
import { couldNotLook, failed } from '../../results/from-error.ts'
import { done, type Result, waiting } from '../../results/result.ts'
import { configHash } from '../config-hash.ts'
import type { Pass, Provisioner } from '../provisioner.ts'
import type { ApplicationDriver, ApplicationId, ObservedApplication } from './application-driver.ts'
import { type ApplicationSpec, applicationSpec } from './application-spec.ts'
import { type CatalogueEntry, findVersion } from './catalogue.ts'
import { healthGate } from './gates.ts'
import type { Generators } from './generators.ts'

export type ApplicationOptions = {
  readonly name: string
  /** The owner's scope, for example organisation, project and cluster. With the name it is the identity. */
  readonly owner: Readonly<Record<string, string>>
  readonly driver: ApplicationDriver
  /** `undefined`: looked, and the catalogue has no such entry. Not asked when it is taken down. */
  readonly catalogue: (pass: Pass) => Promise<CatalogueEntry | undefined>
  readonly version: string
  /** Comes back when this changes, if the catalogue is to blame. */
  readonly catalogueKey?: ObjectKey
  /** Wins over the catalogue's. */
  readonly namespace?: string
  readonly allowDegraded?: boolean
  readonly generators?: Generators
}

export function application(options: ApplicationOptions): Provisioner {
  const { name, driver, generators = {} } = options
  const id = idOf(options)

  return {
    name,
    async provision(pass) {
      const wanted = await specOf(options, pass)
      if ('failed' in wanted) return wanted.failed
      const hash = configHash(wanted.spec)
      const looked = await look(pass)
      if ('failed' in looked) return looked.failed
      if (looked.seen?.deleting) return waiting('', `the earlier ${name} to be gone`)
      if (looked.seen?.hash !== hash) {
        await driver.apply(id, wanted.spec, hash, pass)
        return waiting('', `${name} to be synced`)
      }
      const gate = healthGate(name, looked.seen, options)
      return gate.state === 'done' ? hooked(looked.seen, `${pass.generation} ${hash}`, pass) : gate
    },

    async deprovision(pass) {
      const looked = await look(pass)
      if ('failed' in looked) return looked.failed
      if (!looked.seen) return done()
      const gone = pass.cluster !== undefined && pass.cluster.config === undefined
      if (!looked.seen.deleting) {
        if (!gone) await generators.beforeDeprovision?.(pass)
        await driver.delete(id, { cascade: !gone }, pass)
      }
      if (pass.cluster?.background && !gone) return done()
      const after = await look(pass)
      if ('failed' in after) return after.failed
      return after.seen ? waiting('', `${name} to be gone`) : done()
    },
  }

  async function look(pass: Pass): Promise<{ seen: ObservedApplication | undefined } | { failed: Result }> {
    try {
      return { seen: await driver.read(id, pass) }
    } catch (error) {
      pass.signal.throwIfAborted()
      return { failed: couldNotLook('', error) }
    }
  }

  async function hooked(seen: ObservedApplication, token: string, pass: Pass): Promise<Result> {
    if (!generators.afterProvision || seen.hookedFor === token) return done()
    await generators.afterProvision(pass)
    await driver.recordHook(id, token, pass)
    return done()
  }
}

function idOf({ name, owner }: ApplicationOptions): ApplicationId {
  return { name, labels: Object.entries(owner).sort(([a], [b]) => (a < b ? -1 : 1)) }
}

async function specOf(
  options: ApplicationOptions,
  pass: Pass,
): Promise<{ spec: ApplicationSpec } | { failed: Result }> {
  const { name, version, catalogueKey } = options
  try {
    const entry = await options.catalogue(pass)
    if (!entry) throw new Fault('application_not_found', `The catalogue has no application ${name}`)
    return { spec: await applicationSpec(findVersion(entry, version), options, pass) }
  } catch (error) {
    pass.signal.throwIfAborted()
    return { failed: { ...failed('', error), ...(catalogueKey ? { references: [catalogueKey] } : {}) } }
  }
}
