/** From anything at all to a checked object of a kind. */
import type { z } from 'zod'
import { checkPlainJson } from '../document/plain-json.ts'
import { Fault, type Issue } from '../fault.ts'
import { isRecord } from '../json.ts'
import type { Path } from '../path.ts'
import { type Finding, findings, type Reserved, toIssue } from '../validation/issues.ts'
import { withoutKeys } from '../validation/without-keys.ts'
import type { Manifest } from './envelope.ts'
import { type Fill, refusedByFill } from './fill.ts'

/** What reading an object takes; `defineKind` makes one of a definition. */
export type Reading<Spec> = {
  readonly kind: string
  readonly scope: 'system' | 'tenant' | 'host'
  readonly envelope: z.ZodType
  readonly reserved: Reserved
  /** Completes what the envelope let through, and asks the rules about it. */
  readonly judge: (written: unknown) => { readonly spec: Spec; readonly found: readonly Finding[] }
}

type Checked<Spec> = { readonly manifest?: Manifest<Spec>; readonly issues: Issue[] }
type Envelope = { metadata: Manifest['metadata'] & Record<string, unknown>; spec: unknown }

export function parseManifest<Spec>(reading: Reading<Spec>, input: unknown): Manifest<Spec> {
  const { manifest, issues } = checkManifest(reading, input)
  if (manifest) return manifest
  throw invalidObject(nameOf(reading.kind, input), issues)
}

/** For what fits the envelope already: only what a compiled validator cannot know is looked at. */
export function acceptManifest<Spec>(reading: Reading<Spec>, input: unknown, fill: Fill): Manifest<Spec> {
  const filled = fill(input)
  // An amount beyond all engines has the right shape, and is refused all the same: in the words of parsing.
  if (filled === refusedByFill) return parseManifest(reading, input)
  const { manifest, found } = finish(reading, filled as Envelope)
  if (found.length === 0) return manifest
  throw invalidObject(nameOf(reading.kind, input), found.map(toIssue))
}

export function checkManifest<Spec>(reading: Reading<Spec>, input: unknown): Checked<Spec> {
  // Before anything walks it: what is too deep or reaches for a prototype is not looked at any further.
  const plain = checkPlainJson(input)
  if (plain.length > 0) return { issues: plain }
  const parsed = reading.envelope.safeParse(input)
  if (parsed.success) {
    const { manifest, found } = finish(reading, parsed.data as Envelope)
    return found.length > 0 ? { issues: found.map(toIssue) } : { manifest, issues: [] }
  }
  const found = findings(parsed.error, { schema: reading.envelope, input, reserved: reading.reserved })
  return { issues: [...found, ...rulesBesides(reading, input, found)].map(toIssue) }
}

/** A misspelt field need not hide what is wrong elsewhere: without it, the rules can still be asked about the rest. */
function rulesBesides<Spec>(reading: Reading<Spec>, input: unknown, found: readonly Finding[]): Finding[] {
  if (found.some(({ unknownKey }) => !unknownKey)) return []
  const paths = found.map(({ path }) => path)
  const parsed = reading.envelope.safeParse(withoutKeys(input, paths))
  if (!parsed.success) return []
  const around = paths.map((path) => path.slice(0, -1))
  return finish(reading, parsed.data as Envelope).found.filter(({ path }) => !around.some((one) => related(one, path)))
}

/** One lies inside the other, so the unknown field may be the very cause. All lie in `spec`, which says nothing. */
function related(left: Path, right: Path): boolean {
  const shorter = Math.min(left.length, right.length)
  return shorter > 1 && left.slice(0, shorter).every((part, at) => part === right[at])
}

function finish<Spec>(reading: Reading<Spec>, { metadata, spec: written }: Envelope) {
  const { name, tenant, uid, labels, annotations } = metadata
  const { spec, found: below } = reading.judge(written)
  const found: Finding[] = below.map((finding) => ({ ...finding, path: ['spec', ...finding.path] }))
  if (reading.scope === 'system' && tenant !== undefined) {
    found.unshift({ path: ['metadata', 'tenant'], message: `is not for ${reading.kind}, which belongs to no tenant` })
  }
  const own = { name, ...(tenant !== undefined && { tenant }), ...(uid !== undefined && { uid }), labels, annotations }
  const manifest: Manifest<Spec> = { apiVersion: 'gantry/v1', kind: reading.kind, metadata: own, spec }
  return { manifest, found }
}

export function invalidObject(what: string, issues: readonly Issue[]): Fault {
  const [first] = issues
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  const where = first?.path || 'the object'
  return new Fault('schema', `${what} is not valid: ${where} ${first?.message ?? ''}${more}`, { issues })
}

function nameOf(kind: string, input: unknown): string {
  const metadata = isRecord(input) ? input.metadata : undefined
  const name = isRecord(metadata) ? metadata.name : undefined
  return typeof name === 'string' ? `${kind} ${JSON.stringify(name.slice(0, 40))}` : `The ${kind}`
}
