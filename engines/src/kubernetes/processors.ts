/**
 * The processors of the node, as its kubelet counts them: more than the machine may have, so that what tests ask for
 * beside each other fits in. They share what there is.
 */
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export const processors = 32

/** Where a kubelet looks. */
const places = { nodes: '/sys/devices/system/node', online: '/sys/devices/system/cpu/online' } as const

/** Writes what is to be seen there: which file or folder stands in for which. Nothing, where the system has no such place. */
export async function pretendProcessors(folder: string): Promise<ReadonlyMap<string, string>> {
  for (const place of Object.values(places)) if (!(await isThere(place))) return new Map()
  const [nodes, online] = [join(folder, 'nodes'), join(folder, 'online')]
  for (let number = 0; number < processors; number += 1) {
    const topology = join(nodes, 'node0', `cpu${number}`, 'topology')
    await mkdir(topology, { recursive: true })
    await writeFile(join(topology, 'core_id'), `${number}\n`)
    await writeFile(join(topology, 'physical_package_id'), '0\n')
  }
  await writeFile(online, `0-${processors - 1}\n`)
  return new Map([
    [nodes, places.nodes],
    [online, places.online],
  ])
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
