/** The peer, with a configuration and a cache of its own. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kubernetesTools } from '@gantry/engines'
import type { BenchContext } from '../bench.ts'
import type { Program } from './timed.ts'

type Found = { readonly program: Program; close(): Promise<void> } | { readonly missing: string }

export async function kubectl(server: string, context: BenchContext): Promise<Found> {
  try {
    context.say('cli-cold: fetching kubectl, once')
    const { kubectl: file } = await kubernetesTools(context)
    const home = await mkdtemp(join(tmpdir(), 'gantry-bench-kubectl-'))
    await mkdir(join(home, '.kube'))
    await writeFile(join(home, '.kube', 'config'), JSON.stringify(configOf(server)))
    const { NODE_EXTRA_CA_CERTS: _, KUBECONFIG: __, ...env } = process.env
    return {
      program: { file, args: [], env: { ...env, HOME: home } },
      close: () => rm(home, { recursive: true, force: true }),
    }
  } catch (error) {
    context.signal.throwIfAborted()
    return { missing: `kubectl could not be had: ${String(error)}` }
  }
}

function configOf(server: string) {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'bench', cluster: { server } }],
    users: [{ name: 'bench', user: { token: 'none' } }],
    contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench', namespace: 'default' } }],
    'current-context': 'bench',
  }
}
