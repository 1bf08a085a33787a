/** The text that is edited: the object as YAML under comments that say what to do, and what was wrong the last time. */
import { Fault, type Issue } from '@gantry/core'
import type { Written } from '../../objects/written.ts'

const advice = [
  'Change it, save, and leave the editor. Without a change, or with nothing left, nothing is done.',
  'Lines that begin with # are not part of it.',
]

export type Wrong = { readonly message: string; readonly issues: readonly Issue[] }

/** `body` is kept as the person left it. */
export function editText(body: string, wrong?: Wrong): string {
  const errors = wrong
    ? [
        '',
        `Not written: ${wrong.message}`,
        ...wrong.issues.map(({ path, message }) => `  ${path || 'the object'}: ${message}`),
        '',
      ]
    : []
  const lines = [...advice, ...errors].flatMap((line) => line.split('\n')).map((line) => `# ${line}`.trimEnd())
  return `${lines.join('\n')}\n${body}`
}

/** What is below the comments at the top. */
export function bodyOf(text: string): string {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => !line.startsWith('#'))
  return first === -1 ? '' : lines.slice(first).join('\n')
}

export async function yamlBody(written: Written): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify(written, { lineWidth: 0, aliasDuplicateObjects: false })
}

/** The object in the text, or a fault that says what to change in it. It must be the same one. */
export async function readBody(body: string, before: Written): Promise<Written> {
  const { parseDocuments } = await import('@gantry/core/documents')
  const documents = parseDocuments(body)
  const [only] = documents
  if (!only || documents.length > 1) throw new Fault('bad_document', 'There must be one object in it')
  const value = only.value as Partial<Written> | null
  const metadata = value?.metadata as Partial<Written['metadata']> | undefined
  const issues: Issue[] = [
    ...differs('kind', value?.kind, before.kind),
    ...differs('metadata.name', metadata?.name, before.metadata.name),
    ...differs('metadata.tenant', metadata?.tenant ?? before.metadata.tenant, before.metadata.tenant),
  ]
  if (issues.length > 0) throw new Fault('bad_document', 'It must stay the same object', { issues })
  return value as Written
}

function differs(path: string, now: unknown, before: unknown): Issue[] {
  return now === before
    ? []
    : [{ path, message: `must stay ${JSON.stringify(before)}; use "gantry apply" for another object` }]
}
