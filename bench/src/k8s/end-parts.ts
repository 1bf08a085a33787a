/** Parts of a private cluster that have nothing to do in a bench, and would only take from the two cores that all share. */
import { type KubernetesAddress, type KubernetesPids, kubernetesPids } from '@gantry/engines'

/** They stay away: only what fails by itself is started again. */
export async function endParts(address: KubernetesAddress, parts: readonly (keyof KubernetesPids)[]): Promise<void> {
  const pids = await kubernetesPids(address)
  for (const part of parts) process.kill(pids[part], 'SIGKILL')
}
