/** Pure: the claims of an instance, one for each persistent volume of each replica. */
import type { Desired } from '../../desired.ts'
import { label, ownerLabels } from '../../labels.ts'
import { resources } from '../api/resources.ts'
import type { Claim, ClaimSpec, ClaimTemplate } from '../api/types/storage.ts'
import { claimName } from '../names.ts'
import { claimedVolumes, persistentVolumes, type VolumeClaim } from './claimed-volumes.ts'
import type { Labels } from './labels.ts'
import { type PlannedObject, planned } from './planned.ts'
import type { PlanSettings } from './settings.ts'
import type { TemplateInputs } from './template-inputs.ts'

/** The name that the spec has for a volume. */
export const volumeLabel = 'gantry.dev/volume'
export const retainLabel = 'gantry.dev/retain'

/** As they shall be now: also those that are there already, from another life or of another size. */
export function plannedClaims(
  desired: Desired,
  settings: PlanSettings,
  { namespace, name, labels }: { readonly namespace: string; readonly name: string; readonly labels: Labels },
): readonly PlannedObject<Claim>[] {
  const claims = claimedVolumes(desired, settings)
  return persistentVolumes(desired).flatMap(({ name: volume, retain }) =>
    Array.from({ length: desired.replicas }, (_, ordinal) => {
      const own = { [label.replica]: String(ordinal), [volumeLabel]: volume, [retainLabel]: String(retain) }
      const at = { namespace, name: claimName(volume, name, ordinal) }
      const spec = specOf(claims[volume])
      return planned<Claim>(resources.claim, at, { labels: { ...labels, ...own } }, { spec })
    }),
  )
}

/** What a StatefulSet can never change, so nothing is in it that ever does. */
export function claimTemplates(desired: Desired, { claims }: TemplateInputs): readonly ClaimTemplate[] {
  const { [label.uid]: _, ...labels } = ownerLabels(desired.installation, desired.ref)
  return persistentVolumes(desired).map(({ name }) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, labels: { ...labels, [volumeLabel]: name } },
    spec: specOf(claims[name]),
  }))
}

const specOf = (claim: VolumeClaim | undefined): ClaimSpec => ({
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: claim?.size ?? '' } },
  ...(claim?.storageClass === undefined ? {} : { storageClassName: claim.storageClass }),
})
