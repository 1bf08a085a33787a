/** Why this machine cannot run a cluster, told without starting one. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { probeDocker } from '../docker/probe.ts'

export async function probeCluster(): Promise<string | undefined> {
  return (await probeDocker()) ?? noGo(process.env.PATH ?? '')
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
  return isThere ? undefined : 'it is built from its sources, and there is no go here; install Go 1.24 or newer'
}
