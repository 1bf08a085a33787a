/** One service of one replica: what lines come from, what a file of lines is about. */
import { createHash } from 'node:crypto'
import type { Ref, Slot } from '@gantry/providers'

export type LogSource = {
  readonly ref: Ref
  /** Of the replica; never used again for another. */
  readonly engineId: string
  readonly index: number
  readonly release: string
  readonly service: string
}

/** What a folder's name tells, so that a query opens no file it does not need. */
export type SourceName = { readonly service: string; readonly slot: Slot; readonly index: number; readonly id: string }

/** Names of services have no dot; engines' ids may have anything, so they are hashed. */
export function folderOf({ service, ref, index, engineId }: LogSource): string {
  return `${written(service)}.${ref.slot}${index}.${createHash('sha256').update(engineId).digest('hex').slice(0, 16)}`
}

/** Objects that others wrote are called `deployment/web`, and may have dots and colons in their names. */
const letters = [
  ['/', '~'],
  ['.', '+'],
  [':', '='],
] as const

const written = (service: string): string =>
  letters.reduce((text, [letter, sign]) => text.replaceAll(letter, sign), service)
const read = (name: string): string => letters.reduce((text, [letter, sign]) => text.replaceAll(sign, letter), name)

/** Of all objects that others wrote only those have lines that run something. */
export function writesLines(service: string): boolean {
  return !service.includes('/') || (service.length <= longest && running.test(service))
}

/** What is longer has no room in the name of a folder. */
const longest = 200

const running =
  /(?:^|\.)(?:pod|deployment|replicaset|statefulset|daemonset|job|cronjob|replicationcontroller)(?:\.[-.a-z0-9]+)?\//

/** `undefined`: not a folder of ours. */
export function readFolder(name: string): SourceName | undefined {
  const parts = /^([a-z0-9][-a-z0-9~+=]*)\.([ab])(\d{1,9})\.([0-9a-f]{16})$/.exec(name)
  if (!parts) return undefined
  const [, service = '', slot, index, id = ''] = parts
  return { service: read(service), slot: slot as Slot, index: Number(index), id }
}
