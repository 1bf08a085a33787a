/** Why this machine cannot run a cluster, told without starting one. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { cacheFolder } from '../cache.ts'
import { probeDocker } from '../docker/probe.ts'
import { rigFolder } from '../folder.ts'
import { ownFolders } from './inside.ts'

export async function probeCluster(): Promise<string | undefined> {
  return (await probeDocker()) ?? noGo(process.env.PATH ?? '') ?? hidden([rigFolder(), cacheFolder()])
}

/** A cluster has folders of its own in place of some of the system's, and would not find there what it is made of. */
export function hidden(folders: readonly string[]): string | undefined {
  const places = ['/var/run', ...Object.values(ownFolders)]
  const lost = folders.find((folder) => places.some((place) => folder.startsWith(`${place}/`)))
  if (lost === undefined) return undefined
  return `${lost} is out of its sight; set GANTRY_ENGINES_DIR or XDG_CACHE_HOME to a folder that is not in ${places.join(', ')}`
}

export function noGo(path: string): string | undefined {
  const isThere = path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, 'go'), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
  return isThere ? undefined : 'it is built from its sources, and there is no go here; install Go 1.26 or newer'
}
