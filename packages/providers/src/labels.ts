/** The marks we leave on every engine object: how our own work is found again, and how a foreigner is told from it. */
import type { Desired, DesiredService } from './desired.ts'
import type { Ref } from './ref.ts'

export const label = {
  installation: 'gantry.dev/installation',
  tenant: 'gantry.dev/tenant',
  workload: 'gantry.dev/workload',
  uid: 'gantry.dev/uid',
  slot: 'gantry.dev/slot',
  release: 'gantry.dev/release',
  specHash: 'gantry.dev/spec-hash',
  replica: 'gantry.dev/replica',
  service: 'gantry.dev/service',
  role: 'gantry.dev/role',
} as const

/** The engine's own id of a replica, on everything of it where we tend replicas ourselves. */
export const engineLabel = 'gantry.dev/engine-id'

/** Keys below this are ours alone; a user's label or annotation cannot take one. */
export const ownPrefix = 'gantry.dev/'

/** What every object of an instance carries: the user's labels, and ours over them. */
export function labelsOf(
  desired: Pick<Desired, 'installation' | 'ref' | 'labels' | 'release' | 'specHash'>,
  of: { readonly replica?: number; readonly service?: Pick<DesiredService, 'name' | 'role' | 'annotations'> } = {},
): Readonly<Record<string, string>> {
  return {
    ...withoutOurs(desired.labels),
    ...withoutOurs(of.service?.annotations ?? {}),
    ...ownerLabels(desired.installation, desired.ref),
    [label.release]: desired.release,
    [label.specHash]: desired.specHash,
    ...(of.replica === undefined ? {} : { [label.replica]: String(of.replica) }),
    ...(of.service === undefined ? {} : { [label.service]: of.service.name, [label.role]: of.service.role }),
  }
}

/** What finds everything of one instance on an engine. */
export function ownerLabels(installation: string, ref: Ref): Readonly<Record<string, string>> {
  return {
    [label.installation]: installation,
    [label.tenant]: ref.tenant,
    [label.workload]: ref.workload,
    [label.uid]: ref.uid,
    [label.slot]: ref.slot,
  }
}

/** The instance an object belongs to, or `undefined` if it carries not all of our marks or another installation's. */
export function refFromLabels(installation: string, labels: Readonly<Record<string, string>>): Ref | undefined {
  if (labels[label.installation] !== installation) return undefined
  const { [label.tenant]: tenant, [label.workload]: workload, [label.uid]: uid, [label.slot]: slot } = labels
  if (!tenant || !workload || !uid || (slot !== 'a' && slot !== 'b')) return undefined
  return { tenant, workload, uid, slot }
}

function withoutOurs(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !key.startsWith(ownPrefix)))
}
