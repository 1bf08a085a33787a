/** How long fifty small workloads on Docker take to be there and to be gone again, against the client in a loop. */
import { until } from '@gantry/server/testing'
import type { Bench } from './bench.ts'
import { openStage, type Stage } from './docker/stage.ts'
import { idleWorkload } from './docker/workloads.ts'
import { contest } from './rounds.ts'

const count = 50
const network = 'many'
const patience = { withinMs: 600_000, everyMs: 100 }

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
  const all = () => workloads.list({ limit: 500, ...call }).toArray()
  const from = performance.now()
  await tenant.apply(objects, call)
  await until(
    'all to be ready',
    all,
    (found) => found.filter(({ status }) => status.readyReplicas === 1).length === count,
    patience,
  )
  await Promise.all(names.map((name) => workloads.delete(name, call)))
  await until('all to be gone', all, (found) => found.length === 0, patience)
  return performance.now() - from
}
