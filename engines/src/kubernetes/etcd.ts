/** For whoever wants the cluster to forget: what was in its database before now is not to be had any more. */
import { type Call, Fault } from '@gantry/core'
import type { KubernetesAddress } from './kubernetes.ts'

/** A watch or a list from before is then refused as too old, at the latest when the API server has been started again. */
export async function compactEtcd({ etcd }: Pick<KubernetesAddress, 'etcd'>, call: Call): Promise<void> {
  const key = Buffer.from('/').toString('base64')
  const { header } = (await tell(`${etcd}/v3/kv/range`, { key }, call)) as { header: { revision: string } }
  await tell(`${etcd}/v3/kv/compaction`, { revision: header.revision, physical: true }, call)
}

async function tell(url: string, body: object, { signal }: Call): Promise<unknown> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body), signal })
  const text = await answer.text()
  if (!answer.ok) throw new Fault('engine_refused', `etcd answered ${answer.status} to ${url}: ${text}`)
  return JSON.parse(text)
}
