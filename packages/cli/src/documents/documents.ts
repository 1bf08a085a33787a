/**
 * The objects of the files that a line names, as they are sent. Files are read here and judged by the server, which does so
 * anyway: what it says about an object is told with the file and the line.
 */
import { Fault, type Issue, isFault, parsePath } from '@gantry/core'
import { envIsText, type ParsedDocument, parseDocuments, withPlaces } from '@gantry/core/documents'
import { counted } from '../output/counted.ts'
import type { World } from '../world/world.ts'
import { givenVariables } from './given-variables.ts'
import { readSources, type Source } from './sources.ts'
import { markVariables, type Variables } from './variables.ts'

export type FileFlags = {
  readonly filename: readonly string[]
  readonly 'env-file': readonly string[]
  readonly var: readonly string[]
}

type Located = { readonly file: string; readonly lineOf: ParsedDocument['lineOf']; readonly value: unknown }

export type Documents = {
  readonly objects: readonly unknown[]
  /** The same fault, with files and lines in place of numbers of objects. Anything else as it is. */
  located(error: unknown): unknown
}

export async function readDocuments(flags: FileFlags, world: World): Promise<Documents> {
  const variables = await givenVariables(flags['env-file'], flags.var, world.folder)
  const sources = await readSources(flags.filename, world)
  const found: Located[] = []
  const faults: Fault[] = []
  for (const source of sources) {
    try {
      for (const one of readSource(source, variables)) found.push(await withFiles(one, source))
    } catch (error) {
      if (!isFault(error, 'invalid')) throw error
      faults.push(error)
    }
  }
  const [first] = faults
  if (first) throw new Fault(first.reason, first.message, { issues: faults.flatMap(({ issues }) => issues) })
  if (found.length === 0) {
    const names = sources.map(({ name }) => name).join(', ')
    throw new Fault('bad_document', `There is no object in ${names}`)
  }
  return { objects: found.map(({ value }) => value), located: (error) => located(error, found) }
}

function readSource({ name, folder, text }: Source, variables: Variables | undefined): Located[] {
  const marked = variables === undefined ? undefined : markVariables(text, variables)
  const options = { textAt: envIsText, ...(marked && { replace: marked.replace }) }
  let documents: ParsedDocument[]
  try {
    documents = parseDocuments(marked?.text ?? text, options)
  } catch (error) {
    throw isFault(error, 'invalid') ? unreadable(name, error) : error
  }
  const missing = marked?.missing() ?? []
  if (missing.length > 0) throw without(name, missing)
  return documents.map(({ value, lineOf }) => ({ file: name, lineOf, value: withPlaces(value, folder) }))
}

/** Most files say all that there is; those that name others are read with them. */
async function withFiles(one: Located, { name, folder }: Source): Promise<Located> {
  if (!hasSource(one.value)) return one
  const { withSourceFiles } = await import('./workload-source.ts')
  return { ...one, value: await withSourceFiles(one.value, { folder, file: name }) }
}

function hasSource(document: unknown): boolean {
  const spec = (document as { readonly spec?: { readonly source?: unknown } | null } | null)?.spec
  return typeof spec?.source === 'object' && spec.source !== null
}

function unreadable(file: string, fault: Fault): Fault {
  const issues = fault.issues.map((issue): Issue => ({ ...issue, file }))
  const [first] = issues
  const where = first?.line === undefined ? file : `${file}:${first.line}`
  const message = first === undefined ? fault.message : `${first.path} ${first.message}`.trim()
  return new Fault(fault.reason, `${where} cannot be read: ${message}`, { issues, cause: fault })
}

function without(file: string, missing: readonly { readonly name: string; readonly line: number }[]): Fault {
  const names = [...new Set(missing.map(({ name }) => name))]
  const issues = missing.map(({ name, line }): Issue => ({ path: `\${${name}}`, message: 'has no value', line, file }))
  const [first] = names
  const what = names.length === 1 ? `A variable of ${file} has` : `${names.length} variables of ${file} have`
  const how = `give it with --var ${first}=… or in an --env-file, or write $\${${first}} if no variable is meant`
  return new Fault('bad_document', `${what} no value: ${names.join(', ')}; ${how}`, { issues })
}

const ofObject = /^objects\[(\d+)\]\.?(.*)$/

function located(error: unknown, found: readonly Located[]): unknown {
  if (!isFault(error) || error.issues.length === 0) return error
  let places = 0
  const issues = error.issues.map((issue): Issue => {
    const [, index, path = ''] = ofObject.exec(issue.path) ?? []
    const source = index === undefined ? undefined : found[Number(index)]
    if (!source) return issue
    places += 1
    return { ...issue, path, file: source.file, line: source.lineOf(parsePath(path)) }
  })
  // Numbers of objects mean nothing to who wrote files; each is told with its line.
  const isAll = error.kind === 'invalid' && places === issues.length
  const message = isAll ? `${counted(places, 'thing is', 'things are')} not valid, so nothing was done` : error.message
  return Object.assign(new Fault(error.reason, message, { issues, cause: error }), idOf(error))
}

/** The id of the request is shown with -v, also of a fault that was told anew. */
function idOf(fault: Fault): { readonly requestId?: unknown } {
  return 'requestId' in fault ? { requestId: fault.requestId } : {}
}
