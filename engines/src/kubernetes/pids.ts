/** For whoever stops, wakes or ends a part of a private cluster; `restart` brings it back. */
import { readFile } from 'node:fs/promises'
import type { PartName } from './arguments.ts'
import type { KubernetesAddress } from './kubernetes.ts'
import { pids } from './places.ts'

export type KubernetesPids = Readonly<Record<PartName, number>>

/** Other ones after every restart. */
export async function kubernetesPids({ folder }: Pick<KubernetesAddress, 'folder'>): Promise<KubernetesPids> {
  return JSON.parse(await readFile(pids(folder), 'utf8')) as KubernetesPids
}
