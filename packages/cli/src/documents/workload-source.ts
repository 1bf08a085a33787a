/** A file may name what a workload is made of by files beside it; the API takes what is in them. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Fault } from '@gantry/core'
import { packChart, readChart } from './chart/pack.ts'
import { filesOf, whyNot } from './sources.ts'

type Fields = Record<string, unknown>

/** Where the file is that says so, and what it is called. */
export type Beside = { readonly folder: string; readonly file: string }

/** The same document with texts and archives in place of names of files. Anything else stays, for the server to judge. */
export async function withSourceFiles(document: unknown, beside: Beside): Promise<unknown> {
  if (
    !isRecord(document) ||
    document.kind !== 'Workload' ||
    !isRecord(document.spec) ||
    !isRecord(document.spec.source)
  )
    return document
  const { manifests, helm } = document.spec.source
  const source = {
    ...document.spec.source,
    ...(isRecord(manifests) && { manifests: await withTexts(manifests, beside) }),
    ...(isRecord(helm) && { helm: await withChart(helm, beside) }),
  }
  return { ...document, spec: { ...document.spec, source } }
}

async function withTexts(manifests: Fields, beside: Beside): Promise<Fields> {
  const { files, ...rest } = manifests
  const path = 'spec.source.manifests.files'
  if (!isTexts(files)) return manifests
  if (rest.text !== undefined) throw refused(beside, path, 'cannot stand beside text; leave out one of them')
  if (files.length === 0) throw refused(beside, path, 'names no file')
  const texts: string[] = []
  for (const [at, name] of files.entries()) {
    const here = `${path}[${at}]`
    const found = await told(beside, here, () => filesOf(name, beside.folder))
    for (const each of found) texts.push(`# ${each}\n${await readBeside(each, beside, here)}`)
  }
  return { ...rest, text: texts.map((text) => (text.endsWith('\n') ? text : `${text}\n`)).join('---\n') }
}

async function withChart(helm: Fields, beside: Beside): Promise<Fields> {
  const { chart, valuesFiles } = helm
  return {
    ...helm,
    ...(isRecord(chart) && { chart: await withArchive(chart, beside) }),
    ...(isTexts(valuesFiles) && { valuesFiles: await withValues(valuesFiles, beside) }),
  }
}

async function withArchive({ folder, file, ...rest }: Fields, beside: Beside): Promise<Fields> {
  const path = 'spec.source.helm.chart'
  if (folder === undefined && file === undefined) return rest
  if (folder !== undefined && file !== undefined) throw refused(beside, path, 'has both folder and file; leave out one')
  const [name, field] = folder === undefined ? [file, 'file'] : [folder, 'folder']
  const here = `${path}.${field}`
  if (typeof name !== 'string') throw refused(beside, here, 'must be a path')
  if (rest.archive !== undefined) throw refused(beside, here, 'cannot stand beside archive; leave out one of them')
  const place = resolve(beside.folder, name)
  const bytes = await told(beside, here, () => (field === 'folder' ? packChart(place) : readChart(place)), name)
  return { ...rest, archive: bytes.toString('base64') }
}

/** A text of several lines is one; a reference is what was read back; anything else is the path of a file. */
async function withValues(given: readonly string[], beside: Beside): Promise<string[]> {
  const texts: string[] = []
  for (const [at, name] of given.entries()) {
    const isPath = !name.includes('\n') && !/^vault:[0-9a-f]{32}$/.test(name)
    texts.push(isPath ? await readBeside(name, beside, `spec.source.helm.valuesFiles[${at}]`) : name)
  }
  return texts
}

async function readBeside(name: string, beside: Beside, path: string): Promise<string> {
  return await told(beside, path, () => readFile(resolve(beside.folder, name), 'utf8'), name)
}

/** What the file system says, with the field that asked for it. */
async function told<T>(beside: Beside, path: string, work: () => Promise<T>, name?: string): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault) throw refused(beside, path, error.message, error)
    throw refused(beside, path, `${name} cannot be read: ${whyNot(error)}; looked from ${beside.folder}`, error)
  }
}

function refused({ file }: Beside, path: string, message: string, cause?: unknown): Fault {
  const reason = cause instanceof Fault ? cause.reason : 'bad_request'
  return new Fault(reason, `${file}: ${path}: ${message}`, { issues: [{ path, message, file }], cause })
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
