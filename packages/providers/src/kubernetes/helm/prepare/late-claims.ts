/**
 * Pure: claims of a chart that no volume is made for before a pod uses them, where nothing in the chart begins such a pod. Helm waits
 * until every claim is bound (3 and 4 alike), so with them it would wait until its time is over, and fail.
 */
import type { KubeObject } from '../../api/types/meta.ts'
import { at, isFields, listAt, numberAt, textAt } from '../../manifests/fields.ts'
import { bindsLate, isClaim } from '../../manifests/health/claims.ts'
import { kindKey, makesPods } from '../../manifests/kinds.ts'
import type { SetObject } from '../../manifests/set-object.ts'
import { hookAnnotation } from '../release/objects.ts'

const defaultClass = 'storageclass.kubernetes.io/is-default-class'

/** By name. */
export function lateClaims(objects: readonly SetObject[], classes: readonly KubeObject[]): readonly string[] {
  const own = objects.filter(({ object }) => !isHook(object))
  const used = new Set(own.filter(beginsPods).flatMap(({ object }) => claimsIn(object)))
  const known = [...own.map(({ object }) => object as unknown as KubeObject).filter(isClass), ...classes]
  return own.filter((one) => isClaim(one.apiVersion, one.kind) && !used.has(one.name) && isLate(one, known)).map(nameOf)
}

/** Such hooks are for when all is ready, which only Helm can see to. */
export const hasLaterHooks = (objects: readonly SetObject[]): boolean =>
  objects.some(({ object }) => /\bpost-(?:install|upgrade|rollback)\b/.test(hookOf(object) ?? ''))

const isClass = ({ kind }: KubeObject): boolean => kind === 'StorageClass'
const nameOf = ({ name }: SetObject): string => name
const hookOf = (object: unknown): string | undefined => textAt(object, 'metadata', 'annotations', hookAnnotation)
const isHook = (object: unknown): boolean => hookOf(object) !== undefined

function isLate({ object }: SetObject, classes: readonly KubeObject[]): boolean {
  const name = textAt(object, 'spec', 'storageClassName')
  // One that names its volume has it already.
  if (textAt(object, 'spec', 'volumeName')) return false
  const own = classes.find(({ metadata }) =>
    name === undefined ? metadata.annotations?.[defaultClass] === 'true' : metadata.name === name,
  )
  return own !== undefined && bindsLate(own)
}

/** At once, and not when its time has come. */
function beginsPods({ apiVersion, kind, object }: SetObject): boolean {
  if (!makesPods(apiVersion, kind) || kindKey(apiVersion, kind) === 'CronJob.batch') return false
  return numberAt(object, 'spec', 'replicas') !== 0 && at(object, 'spec', 'suspend') !== true
}

function claimsIn(object: unknown): readonly string[] {
  const template = at(object, 'spec', 'template')
  const volumes = isFields(template) ? listAt(template, 'spec', 'volumes') : listAt(object, 'spec', 'volumes')
  return volumes.flatMap((each) => textAt(each, 'persistentVolumeClaim', 'claimName') ?? [])
}
