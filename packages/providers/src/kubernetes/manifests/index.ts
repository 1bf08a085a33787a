/** The one way in: sets of manifests on one cluster. */

import { label } from '../../labels.ts'
import { observations } from '../../tended/observations.ts'
import { resources } from '../api/resources.ts'
import { namespaceState } from '../apply/namespace-state.ts'
import { scopesOf } from './confine.ts'
import { convergeSet } from './converge.ts'
import { containersOfSet, lookAtSet } from './look.ts'
import type { ManifestSets, SetOptions } from './manifests.ts'
import { issuesOf, placeOf, setParts } from './parts.ts'
import { setKind, setLabel } from './record/record.ts'
import { refusalIn } from './refusal.ts'
import { removeSet } from './remove.ts'
import { setSteps } from './view/steps.ts'
import { recordPlace } from './watch/seen-record.ts'
import { SetSite } from './watch/set-site.ts'

/** Watches begin when somebody observes; `close` ends them. */
export function manifestSets(options: SetOptions): ManifestSets {
  const parts = setParts(options)
  const site = new SetSite(parts)
  const { troubles } = site

  return {
    check: ({ source, ref }) => issuesOf(parts.texts.read(source.text), placeOf(options, ref.tenant)),

    plan(desired, observed) {
      const { objects } = desired ? parts.texts.read(desired.source.text) : { objects: [] }
      const tenant = desired?.ref.tenant ?? observed?.ref.tenant ?? ''
      const where = { place: placeOf(options, tenant), scopeOf: scopesOf(objects) }
      return setSteps(desired && { objects, release: desired.release, specHash: desired.specHash }, observed, where)
    },

    async converge(desired, call) {
      const { ref } = desired
      return await troubles.during(ref, async () => {
        try {
          return await convergeSet(parts, desired, call)
        } catch (error) {
          const refusal = refusalIn(error)
          // In a namespace that leaves anything fails, and whoever made it makes it anew.
          const home = refusal && (await namespaceState(options.api, options.namespaceOf(ref.tenant), call))
          if (refusal && home !== 'leaving' && home !== 'gone') troubles.note(ref, refusal)
          throw error
        }
      })
    },

    async remove(ref, call) {
      troubles.forget(ref)
      return await removeSet(parts, ref, call)
    },

    look: (ref, call) => lookAtSet(parts, troubles, ref, call),
    observe: (call) => observations(site, call),
    containersOf: (engineId, service, call) => containersOfSet(parts, engineId, service, call),
    owns: (engineId) => recordPlace(engineId) !== undefined,

    async hasAny(namespace, call) {
      const labelSelector = `${label.installation}=${options.installation},${setLabel}=${setKind}`
      const of = { resource: resources.configMap, namespace }
      const { items } = await options.api.objects.list(of, { labelSelector, metadataOnly: true }, call)
      return items.length > 0
    },

    close: () => site.close(),
  }
}
