/** The kubeconfig of who is here, as kubectl would take it: one context of it, with all that it needs in it. */
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Fault } from '@gantry/core'
import { parseDocuments } from '@gantry/core/documents'
import { type Kubeconfigs, kubeconfigText, oneContext } from './kubeconfig.ts'

export type Wanted = { readonly file?: string | undefined; readonly context?: string | undefined }
export type Place = {
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

export type ReadKubeconfig = { readonly text: string; readonly context: string; readonly server: string }

export async function readKubeconfig({ file, context }: Wanted, place: Place): Promise<ReadKubeconfig> {
  const named = file === undefined ? undefined : [resolve(place.folder, file)]
  const paths = named ?? usualPaths(place.env)
  const all: { path: string; value: unknown }[] = []
  for (const path of paths) {
    const text = await textAt(path, named !== undefined, place)
    if (text !== undefined) all.push({ path, value: parsed(text, path) })
  }
  if (all.length === 0) {
    const looked = paths.join(', ')
    throw new Fault(
      'bad_request',
      `There is no kubeconfig at ${looked}; name one with --kubeconfig, or say --in-cluster`,
    )
  }
  const one = oneContext(all satisfies Kubeconfigs, context)
  const contents = await Promise.all(one.files.map(({ path }) => bytesAt(path, place)))
  return { text: kubeconfigText(one, contents), context: one.context, server: String(one.cluster.server ?? '') }
}

function usualPaths({ KUBECONFIG: list = '' }: Place['env']): string[] {
  const named = list.split(':').filter((path) => path !== '')
  return named.length > 0 ? [...new Set(named.map((path) => resolve(path)))] : [join(homedir(), '.kube', 'config')]
}

/** In these a number is meant as the text it is written as. */
const texts = new Set(['token', 'username', 'password', 'namespace', 'name', 'current-context'])

function parsed(text: string, path: string): unknown {
  try {
    return parseDocuments(text, { textAt: (at) => texts.has(String(at.at(-1))) })[0]?.value
  } catch (cause) {
    throw new Fault('bad_request', `${path} is not a kubeconfig: it cannot be read as YAML`, { cause })
  }
}

async function textAt(path: string, mustBe: boolean, { signal }: Place): Promise<string | undefined> {
  try {
    return await readFile(path, { encoding: 'utf8', signal })
  } catch (cause) {
    signal.throwIfAborted()
    const { code } = cause as NodeJS.ErrnoException
    if (!mustBe && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined
    throw new Fault('bad_request', `${path} cannot be read (${code})`, { cause })
  }
}

async function bytesAt(path: string, { signal }: Place): Promise<Buffer> {
  try {
    return await readFile(path, { signal })
  } catch (cause) {
    signal.throwIfAborted()
    const { code } = cause as NodeJS.ErrnoException
    throw new Fault('bad_request', `${path}, which the kubeconfig names, cannot be read (${code})`, { cause })
  }
}
