/** Pure: what is applied of an object: all that its author wrote, our labels, and nothing that only a server can say. */
import { at, type Fields, isFields, textAt } from './fields.ts'
import { kindKey } from './kinds.ts'
import { wishes } from './read/read-set.ts'
import type { SetObject } from './set-object.ts'
import { shortHash } from './short-hash.ts'

/** In the template of pods, after a restart was asked for: another text makes other pods. */
export const restartAnnotation = 'gantry.dev/restart'

/** Of what was once read from a cluster, these are its own. */
const serverMeta = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'managedFields',
  'selfLink',
])

export type BodyOptions = {
  /** Left out for kinds in no namespace. */
  readonly namespace?: string
  /** Below the author's own. */
  readonly usual: Readonly<Record<string, string>>
  /** Over the author's own. */
  readonly owner: Readonly<Record<string, string>>
  readonly restart?: string
  readonly run: 'running' | 'stopped'
}

export type Body = {
  readonly object: Fields
  readonly hash: string
  /** Fields of others that differ are taken. */
  readonly force: boolean
  readonly adopt: boolean
}

/** `undefined`: while the workload is stopped, it is not to be there at all. */
export function bodyOf({ apiVersion, kind, object }: SetObject, options: BodyOptions): Body | undefined {
  const { namespace, usual, owner, restart, run } = options
  const { metadata, status: _, ...rest } = object
  const kept = Object.entries(isFields(metadata) ? metadata : {}).filter(([key]) => !serverMeta.has(key))
  const meta: Fields = Object.fromEntries(kept)
  const labels = { ...usual, ...(isFields(meta.labels) ? meta.labels : {}), ...owner }
  const place = namespace === undefined ? {} : { namespace }
  const whole = { ...rest, metadata: { ...meta, ...place, labels } }
  const stamped = restart === undefined ? whole : withRestart(kindKey(apiVersion, kind), whole, restart)
  const body = run === 'stopped' ? atRest(kindKey(apiVersion, kind), stamped) : stamped
  if (!body) return undefined
  const asked = (name: string): string | undefined => textAt(meta, 'annotations', name)
  return {
    object: body,
    hash: shortHash(body),
    // A stop must reach what an autoscaler has set, too.
    force: asked(wishes.conflicts) === 'overwrite' || body !== stamped,
    adopt: asked(wishes.existing) === 'adopt',
  }
}

const scaled = new Set(['Deployment.apps', 'StatefulSet.apps', 'ReplicaSet.apps', 'ReplicationController'])
const suspended = new Set(['CronJob.batch', 'Job.batch'])
/** Runs by being there. */
const absent = new Set(['DaemonSet.apps', 'Pod'])

function atRest(kind: string, body: Fields): Fields | undefined {
  if (absent.has(kind)) return undefined
  const change = scaled.has(kind) ? { replicas: 0 } : suspended.has(kind) ? { suspend: true } : undefined
  return change ? { ...body, spec: { ...(isFields(body.spec) ? body.spec : {}), ...change } } : body
}

const restarted = new Set(['Deployment.apps', 'StatefulSet.apps', 'DaemonSet.apps'])

function withRestart(kind: string, body: Fields, restart: string): Fields {
  const template = at(body, 'spec', 'template')
  if (!restarted.has(kind) || !isFields(body.spec) || !isFields(template)) return body
  const meta = isFields(template.metadata) ? template.metadata : {}
  const annotations = { ...(isFields(meta.annotations) ? meta.annotations : {}), [restartAnnotation]: restart }
  return { ...body, spec: { ...body.spec, template: { ...template, metadata: { ...meta, annotations } } } }
}
