/** Pure: what the points are called. No id and no time is in a name, so that it means the same in every run. */
import type { Status } from '@gantry/core'
import type { Command } from '@gantry/store'

/** Written by the clock or for the record, whatever is asked for: nothing of a workload depends on them. */
const besides = new Set(['Events', 'Provider', 'Token'])

/** Of a status, what tells one step of a workload's life from another. */
const telling = ['phase', 'step', 'state', 'readyReplicas'] as const

/** `undefined`: nothing in it is about a workload. */
export function writeName(commands: readonly Command[]): string | undefined {
  const about = commands.filter((command) => !besides.has(keyOf(command).kind))
  return about.length === 0 ? undefined : `store ${about.map(commandName).join(' + ')}`
}

function commandName(command: Command): string {
  const name = `${command.op} ${keyOf(command).kind}`
  const status = statusIn(command) as Readonly<Record<string, unknown>>
  const told = telling.flatMap((field) => (status[field] === undefined ? [] : [`${field}=${status[field]}`]))
  return [name, ...told].join(' ')
}

/** Also of what is made and has begun in the same write. */
function statusIn(command: Command): Status {
  if (command.op === 'status') return command.status
  return (command.op === 'create' ? command.draft.status : undefined) ?? {}
}

const keyOf = (command: Command): { readonly kind: string } =>
  command.op === 'create' || command.op === 'replace' ? command.draft.key : command.key

const ids = [
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}-[ab](-\d+)?(-[0-9a-f]{8})?/g,
  // Of volumes: tenant, workload and slot, and which installation.
  /[-a-z0-9]+\.[-a-z0-9]+\.[ab]\.[0-9a-f]{8}(\.\d+)?/g,
]

/** A path below one of the roots, without what is different in every run; `undefined`: elsewhere. */
export function fileName(operation: string, path: string, roots: readonly string[]): string | undefined {
  const root = roots.find((each) => path.startsWith(`${each}/`))
  if (root === undefined) return undefined
  const below = ids.reduce((text, id) => text.replace(id, '…'), path.slice(root.length + 1))
  return `file ${operation} ${below}`
}
