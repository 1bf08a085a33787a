/** Pure: a fault as a person reads it: what, why, and what to do next. The message has these already; this adds the rest. */

import { requestIdOf } from '@gantry/api'
import { type Fault, type FaultReason, faultMeaning, type Issue } from '@gantry/core'
import type { Style } from '../output/style.ts'

export type FaultContext = {
  /** Where the server was looked for, if a server was asked. */
  readonly from?: string | undefined
  readonly verbose: boolean
}

export function faultReport(fault: Fault, { from, verbose }: FaultContext, style: Style): string {
  const lines = [`${style.bad('Error:')} ${sentence(fault.message)}`]
  for (const issue of fault.issues) {
    if (fault.issues.length === 1 && fault.message.includes(issue.message) && isPlaced(fault, issue)) continue
    lines.push(`  ${placeOf(issue)}: ${issue.message}`)
  }
  const next = nextStep(fault, from)
  if (next !== undefined) lines.push(next)
  if (verbose) lines.push(...behind(fault, style))
  return `${lines.join('\n')}\n`
}

/** As editors and terminals know it: they open `gantry.yaml:12` at a click. */
function placeOf({ path, file, line }: Issue): string {
  const what = path === '' ? 'the object' : path
  if (file !== undefined) return `${file}${line === undefined ? '' : `:${line}`}: ${what}`
  return `${what}${line === undefined ? '' : ` (line ${line})`}`
}

/** Whether the sentence says where it is already. */
function isPlaced({ message }: Fault, { file, line }: Issue): boolean {
  return file === undefined || message.includes(`${file}:${line}`)
}

function nextStep({ kind, reason }: Fault, from: string | undefined): string | undefined {
  if (reason === 'server_unreachable') {
    return `Looked there because of ${from ?? 'the address given'}. Start one with "gantry serve", or name another with --server or --context.`
  }
  const known: Partial<Record<FaultReason, string>> = {
    not_signed_in: 'Sign in with "gantry login --server URL", or set GANTRY_TOKEN.',
    token_unknown: 'Sign in again with "gantry login", or set GANTRY_TOKEN to one that holds.',
    token_expired: 'Sign in again with "gantry login", or set GANTRY_TOKEN to one that holds.',
    permission_denied: '"gantry whoami" shows who you are here, and what you may do.',
  }
  const said = known[reason]
  if (said !== undefined) return said
  return kind === 'internal' ? 'The server’s log says more under the id of the request; -v shows that id.' : undefined
}

function behind(fault: Fault, style: Style): string[] {
  const id = requestIdOf(fault)
  const { exit } = faultMeaning[fault.kind]
  const causes: string[] = []
  for (let cause = fault.cause, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    causes.push(style.dim(`because of: ${cause.message}`))
  }
  return [
    style.dim(`kind ${fault.kind}, reason ${fault.reason}, exit code ${exit}`),
    ...(id === undefined ? [] : [style.dim(`request ${id}`)]),
    ...(fault.detail === undefined ? [] : [style.dim(fault.detail)]),
    ...causes,
  ]
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
