/** Adds a Kubernetes cluster that was seen to answer, or nothing at all. */
import { Fault, type ProviderInput } from '@gantry/core'
import { readKubeconfig } from '../../../engines/read-kubeconfig.ts'
import type { World } from '../../../world/world.ts'
import type { AddInput } from '../add.ts'
import { addAnswering } from '../add-answering.ts'
import { keepSecret, withSecret } from '../keep-secret.ts'
import { addedText } from './added-text.ts'

type Flags = AddInput['flags']
type Settings = NonNullable<ProviderInput['kubernetes']>

export async function addKubernetes(name: string, spec: ProviderInput, flags: Flags, world: World): Promise<number> {
  refuseTwoWays(flags)
  const { tenant } = await world.connection()
  const client = await world.client()
  const read = isRead(flags)
    ? await readKubeconfig({ file: flags.kubeconfig, context: flags['kube-context'] }, world)
    : undefined
  const made = read && (await keepSecret(`kubernetes-${name}`, { kubeconfig: read.text }, '--kubeconfig-secret', world))
  const secret = made ?? flags['kubeconfig-secret']
  const kubernetes: Settings = {
    ...settingsOf(flags),
    ...(secret !== undefined && { kubeconfig: { secret: { name: secret, tenant } } }),
    // The one that was kept has one context only.
    ...(read === undefined && flags['kube-context'] !== undefined && { context: flags['kube-context'] }),
  }
  return await withSecret(made, world, async () => {
    const seen = await addAnswering(name, { ...spec, kubernetes }, client, world)
    await world.out.write(addedText(seen, read))
    return 0
  })
}

const ways = ['kubeconfig', 'server-kubeconfig', 'kubeconfig-secret', 'in-cluster'] as const

function refuseTwoWays(flags: Flags): void {
  const given = ways.filter((way) => flags[way] !== undefined && flags[way] !== false)
  if (given.length < 2) return
  const names = given.map((way) => `--${way}`).join(' and ')
  throw new Fault('bad_request', `There is one way to a cluster only: leave out all of ${names} but one`)
}

/** Where nothing else is said, the file is that of who is here. */
const isRead = (flags: Flags): boolean =>
  !flags['in-cluster'] && flags['server-kubeconfig'] === undefined && flags['kubeconfig-secret'] === undefined

function settingsOf(flags: Flags): Settings {
  const { namespace, 'namespace-prefix': namespacePrefix, 'server-kubeconfig': path } = flags
  const { 'host-folder': hostFolders, 'chart-folder': chartFolders, 'pull-secret': pullSecrets } = flags
  const { 'drain-seconds': drainSeconds } = flags
  return {
    ...(flags['in-cluster'] && { inCluster: true }),
    ...(path !== undefined && { kubeconfig: { path } }),
    ...(namespace !== undefined && { namespace }),
    ...(namespacePrefix !== undefined && { namespacePrefix }),
    ...(hostFolders.length > 0 && { hostFolders: [...hostFolders] }),
    ...(chartFolders.length > 0 && { chartFolders: [...chartFolders] }),
    ...(pullSecrets.length > 0 && { imagePullSecrets: [...pullSecrets] }),
    ...(drainSeconds !== undefined && { drainSeconds }),
  }
}
