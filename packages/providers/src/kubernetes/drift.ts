/**
 * Pure: what somebody else has changed of an object that we applied. Only what we said ourselves is compared: what the server
 * fills in, and what others add beside it, is theirs.
 */
import { readQuantity } from '@gantry/core'
import type { KubeObject } from './api/types/meta.ts'

/** Where in an object, as lists and keys: `['spec', 'template', 'spec', 'containers', 'web', 'image']`. */
export type Place = readonly string[]

/** What entries of a list are known by; others are compared in their order. */
const keys: Readonly<Record<string, (entry: Entry) => string>> = {
  containers: ({ name }) => String(name),
  initContainers: ({ name }) => String(name),
  volumes: ({ name }) => String(name),
  env: ({ name }) => String(name),
  imagePullSecrets: ({ name }) => String(name),
  volumeMounts: ({ mountPath }) => String(mountPath),
  hostAliases: ({ ip }) => String(ip),
  items: ({ key }) => String(key),
  ports: ({ containerPort, port, protocol }) => `${containerPort ?? port}/${protocol ?? 'TCP'}`,
  volumeClaimTemplates: ({ metadata }) => String((metadata as Entry | undefined)?.name),
}

type Entry = Readonly<Record<string, unknown>>

/** Texts that mean an amount: `1024Mi` is `1Gi`. */
const amounts: ReadonlySet<string> = new Set(['limits', 'requests', 'emptyDir'])

/** Every place where the live object says something else than we did, the outermost where all of it is gone. */
export function changedPlaces(applied: KubeObject, live: KubeObject): readonly Place[] {
  return differences(applied, live, [])
}

export const isKeyedList = (name: string): boolean => Object.hasOwn(keys, name)

/** What an object has there; `undefined`: nothing. */
export function valueAt(object: unknown, place: Place): unknown {
  return place.reduce<unknown>((here, part, at) => {
    if (isRecord(here)) return Object.hasOwn(here, part) ? here[part] : undefined
    const keyOf = keys[place[at - 1] ?? '']
    return Array.isArray(here) && keyOf ? here.filter(isRecord).find((entry) => keyOf(entry) === part) : undefined
  }, object)
}

function differences(applied: unknown, live: unknown, place: Place): Place[] {
  if (Array.isArray(applied)) return inList(applied, Array.isArray(live) ? live : [], place)
  if (isRecord(applied)) {
    if (!isRecord(live)) return Object.keys(applied).length === 0 ? [] : [place]
    return Object.entries(applied).flatMap(([key, value]) => differences(value, live[key], [...place, key]))
  }
  return isSame(applied, live, place) ? [] : [place]
}

function inList(applied: readonly unknown[], live: readonly unknown[], place: Place): Place[] {
  const keyOf = keys[place.at(-1) ?? '']
  if (!keyOf || !applied.every(isRecord)) {
    const same =
      applied.length === live.length && applied.every((each, at) => differences(each, live[at], []).length === 0)
    return same ? [] : [place]
  }
  const there = new Map(live.filter(isRecord).map((entry) => [keyOf(entry), entry]))
  return applied.flatMap((entry) => {
    const key = keyOf(entry as Entry)
    const found = there.get(key)
    return found === undefined ? [[...place, key]] : differences(entry, found, [...place, key])
  })
}

function isSame(applied: unknown, live: unknown, place: Place): boolean {
  if (applied === live) return true
  // What the server does not show again where it means nothing.
  if (live === undefined) return applied === '' || applied === false || applied === 0
  if (typeof applied !== 'string' || !place.some((part) => amounts.has(part))) return false
  const [left, right] = [readQuantity(applied), readQuantity(String(live))]
  return left !== undefined && left === right
}

function isRecord(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
