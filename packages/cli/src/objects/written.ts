/** Pure: the part of an object that a person writes, without what only the server says. */
import { canonicalJson } from '@gantry/core'
import type { AnyObject } from './access.ts'

export type Written = {
  readonly apiVersion: 'gantry/v1'
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly tenant?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: unknown
}

export function writtenPart({ apiVersion, kind, metadata, spec }: AnyObject): Written {
  const { name, tenant, labels, annotations } = metadata
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(tenant !== undefined && { tenant }),
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    spec,
  }
}

/** Whether somebody's words are the same; what was seen or decided meanwhile does not count. */
export function sameWritten(one: AnyObject, other: AnyObject): boolean {
  return canonicalJson(writtenPart(one)) === canonicalJson(writtenPart(other))
}
