/** How long fifty small workloads on Docker take to be there and to be gone again, against the client in a loop. */
import type { Bench } from './bench.ts'
import { openStage, type Stage } from './docker/stage.ts'
import { idleWorkload } from './docker/workloads.ts'
import { contest } from './rounds.ts'

const count = 50
const network = 'many'

export const dockerMany: Bench = {
  name: 'docker-many',
  about:
    `From the apply of ${count} workloads of one container until the API says that all are ready, and from their deletion ` +
    'until all are gone; against `docker run -d` and `docker rm -f` of as many in a loop, on the same daemon, in a network ' +
    'of their own too. Both kill at once.',
  unit: 'ms',
  better: 'lower',
  async run(context) {
    const stage = await openStage(context)
    try {
      await stage.client('docker', ['network', 'create', network])
      const peer = { name: 'docker run -d, docker rm -f', run: () => byHand(stage) }
      const ours = (round: number) => applied(stage, round, { signal: context.signal })
      const title = `${count} workloads of one container, up and down`
      return [await contest(context, { case: title, better: 'lower', ours, peer, reach: 0.7 })]
    } finally {
      await stage.close()
    }
  },
}

async function byHand({ client, address }: Stage): Promise<number> {
  const names = Array.from({ length: count }, (_, at) => `idle-${at}`)
  const from = performance.now()
  for (const name of names) await client('docker', ['run', '-d', '--name', name, '--network', network, address.image])
  for (const name of names) await client('docker', ['rm', '-f', name])
  return performance.now() - from
}

async function applied(
  { system, address }: Stage,
  round: number,
  call: { readonly signal: AbortSignal },
): Promise<number> {
  const tenant = system.client.tenant('default')
  const { workloads } = tenant
  const names = Array.from({ length: count }, (_, at) => `idle-${round + 1}-${at}`)
  const objects = names.map((name) => idleWorkload(name, address.image))
  const from = performance.now()
  const { resourceVersion: since } = await tenant.apply(objects, call)
  await seen(workloads.watch({ since, ...call }), (change) =>
    change.type === 'put' && change.object.status.readyReplicas === 1 ? change.object.metadata.name : undefined,
  )
  const deleted = await Promise.all(names.map((name) => workloads.delete(name, call)))
  const first = Math.min(...deleted.map(({ metadata }) => metadata.resourceVersion))
  await seen(workloads.watch({ since: first, ...call }), (change) =>
    change.type === 'gone' ? change.object.metadata.name : undefined,
  )
  return performance.now() - from
}

/** Until so many different ones were: whoever asks again and again keeps the server from its work. */
async function seen<Change>(
  changes: AsyncIterable<Change>,
  whose: (change: Change) => string | undefined,
): Promise<void> {
  const found = new Set<string>()
  for await (const change of changes) {
    const name = whose(change)
    if (name !== undefined && found.add(name).size === count) return
  }
}
