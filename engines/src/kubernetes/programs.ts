/** All programs of a cluster: its own parts built here, what they stand on from Debian's packages. */
import { mkdir, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Call } from '@gantry/core'
import { buildOnce, cacheFolder } from '../cache.ts'
import { debianPackages } from '../debian-packages.ts'
import { writeLayer } from '../docker/programs.ts'
import { iptablesPackages } from '../iptables-packages.ts'
import { buildKubernetes, buildMetricsServer } from './build.ts'

/** What the parts stand on, and the libraries that a bare machine may lack. */
const packages = [
  'containerd',
  'runc',
  'containernetworking-plugins',
  'busybox-static',
  ...iptablesPackages,
  'libseccomp2',
] as const

/** The API server streams lists only from 3.5 on, which Debian 12 has not; this one wants no newer libc than it has. */
const newer = { suite: 'trixie', packages: ['etcd-server'] } as const

/** One folder, of which each part is a link: whoever has another version of one of them has another folder. */
export async function installCluster(call: Call): Promise<string> {
  const debian = await debianPackages({ name: 'kubernetes', packages, newer, prepare: writeLayer }, call)
  // One after the other: each keeps all cores busy.
  const kubernetes = await buildKubernetes(call)
  const metrics = await buildMetricsServer(call)
  const build = async (folder: string): Promise<void> => {
    await mkdir(folder, { recursive: true })
    await symlink(debian, debianOf(folder))
    await symlink(kubernetes, join(folder, 'kubernetes'))
    await symlink(metrics, join(folder, 'metrics'))
  }
  const key = ['cluster', debian, kubernetes, metrics].map((part) => basename(part)).join('_')
  return buildOnce({ root: cacheFolder(), key, build }, call)
}

export function debianOf(programs: string): string {
  return join(programs, 'debian')
}

export function partOf(programs: string, name: string): string {
  return join(programs, 'kubernetes', name)
}

export function metricsServerOf(programs: string): string {
  return join(programs, 'metrics', 'metrics-server')
}
