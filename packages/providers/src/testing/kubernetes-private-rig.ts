/** A cluster for one test file alone, whose parts may be stopped and killed at will. */
import { engineStatus, type KubernetesPids, kubernetesPids, type PrivateEngine, startPrivate } from '@gantry/engines'
import { type KubernetesRig, rigAt } from './kubernetes-rig.ts'

export type PrivateCluster = KubernetesRig & {
  readonly engine: PrivateEngine<'kubernetes'>
  /** To a part as it runs now. */
  signal(part: keyof KubernetesPids, signal: NodeJS.Signals): Promise<void>
  end(): Promise<void>
}

const call = () => ({ signal: AbortSignal.timeout(15 * 60_000) })

/** Or why there is none. */
export async function privateCluster(): Promise<PrivateCluster | { readonly missing: string }> {
  const { state, why = 'no reason is given' } = await engineStatus('kubernetes', call())
  if (state === 'missing') return { missing: why }
  const engine = await startPrivate('kubernetes', call(), { nodeGraceSeconds: '10' })
  try {
    const rig = await rigAt(engine.address)
    return {
      ...rig,
      engine,
      async signal(part, signal) {
        process.kill((await kubernetesPids(engine.address))[part], signal)
      },
      async end() {
        rig.api.close()
        await engine.stop(call())
      },
    }
  } catch (error) {
    await engine.stop(call())
    throw error
  }
}
