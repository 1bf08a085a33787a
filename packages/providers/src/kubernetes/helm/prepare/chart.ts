/** The chart as a file or folder of this machine: what is rendered and judged is the very same that is installed. */
import { mkdir, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '@gantry/core'
import { speaksPlainly } from '../../../images/plain-http.ts'
import { codeOf } from '../../../proc/processes.ts'
import type { HelmChart } from '../../../source.ts'
import { isBelow } from '../../../tended/is-below.ts'
import { type HelmCommand, repositoryAlias } from '../command/argv.ts'
import type { RunPlaces } from '../command/environment.ts'
import { writePrivate } from '../run/folder.ts'

export type ChartDeps = {
  readonly places: RunPlaces
  readonly chartFolders: readonly string[]
  readonly plainHttp: readonly string[]
  /** Asks helm for something that has to do with repositories. */
  readonly ask: (command: HelmCommand) => Promise<string>
}

export async function placeChart(chart: HelmChart, deps: ChartDeps): Promise<string> {
  if (chart.from === 'archive') return writePrivate(join(deps.places.folder, 'chart.tgz'), chart.content)
  if (chart.from === 'path') return await allowedPath(chart.path, deps.chartFolders)
  return await pulled(chart, deps)
}

/** Judged by where it really is: a link out of an allowed folder leads out of it. */
async function allowedPath(path: string, folders: readonly string[]): Promise<string> {
  const real = await resolved(path)
  const roots = await Promise.all(folders.map((folder) => resolved(folder).catch(() => undefined)))
  if (roots.some((root) => root !== undefined && isBelow(real, root))) return real
  throw new Fault(
    'engine_rejected',
    `The chart ${path} is in no folder that the settings of the Provider allow (chartFolders)`,
  )
}

async function resolved(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (cause) {
    const why = codeOf(cause) === 'ENOENT' ? 'is not there' : 'cannot be read'
    throw new Fault('engine_rejected', `The chart ${path} ${why} on the machine of the server`, { cause })
  }
}

type RepositoryChart = Extract<HelmChart, { readonly from: 'repository' }>

async function pulled(chart: RepositoryChart, { places, plainHttp, ask }: ChartDeps): Promise<string> {
  const isOci = chart.url.startsWith('oci://')
  const into = join(places.folder, 'chart')
  await mkdir(into, { mode: 0o700 })
  if (isOci) await writePrivate(places.registry, registryFile(chart))
  else {
    await writePrivate(places.repositories, repositoriesFile(chart))
    await ask({ verb: 'repo-update' })
  }
  await ask({
    verb: 'pull',
    chart: isOci ? `${chart.url.replace(/\/+$/, '')}/${chart.name}` : `${repositoryAlias}/${chart.name}`,
    ...(chart.version !== undefined && { version: chart.version }),
    into,
    plainHttp: isOci && speaksPlainly(hostOf(chart.url), plainHttp),
  })
  const [file] = (await readdir(into)).filter((name) => name.endsWith('.tgz'))
  if (file === undefined) throw new Fault('bad_answer', `helm pull brought no archive of the chart ${chart.name}`)
  return join(into, file)
}

/** With the account in it, which on a command line everybody could read. */
export function repositoriesFile({ url, username, password }: RepositoryChart): string {
  const account = { ...(username && { username: username.reveal() }), ...(password && { password: password.reveal() }) }
  return JSON.stringify({ apiVersion: 'v1', repositories: [{ name: repositoryAlias, url, ...account }] })
}

export function registryFile({ url, username, password }: RepositoryChart): string {
  if (!username || !password) return JSON.stringify({ auths: {} })
  const auth = Buffer.from(`${username.reveal()}:${password.reveal()}`).toString('base64')
  return JSON.stringify({ auths: { [hostOf(url)]: { auth } } })
}

const hostOf = (url: string): string => url.replace(/^oci:\/\//, '').split('/', 1)[0] ?? ''
