/** Waits that say what they wait for. */
import type { Client } from '@gantry/api'
import { type Call, Fault, type ObjectOf, sleep, systemClock, withDeadline } from '@gantry/core'

const edgeMs = 20_000
const workloadMs = 120_000

/** A port that is taken is told with a way out, and at once: nothing here can free it. */
export async function edgeListens(client: Client, call: Call): Promise<void> {
  const deadline = withDeadline(systemClock, edgeMs, 'Starting the edge', call)
  try {
    for (;;) {
      const edge = (await client.ready(deadline)).parts.find(({ name }) => name === 'edge')
      if (!edge || edge.ready) return
      if (edge.message?.includes('in use')) throw new Fault('port_in_use', edge.message)
      await sleep(systemClock, 50, deadline)
    }
  } finally {
    deadline.clear()
  }
}

/** One line for each new thing that it waits for. */
export async function workloadReady(
  client: Client,
  tenant: string,
  name: string,
  say: (text: string) => unknown,
  call: Call,
): Promise<void> {
  const deadline = withDeadline(systemClock, workloadMs, `Waiting for ${name}`, call)
  const { workloads } = client.tenant(tenant)
  let last = ''
  const isReady = (workload: ObjectOf<'Workload'>): boolean => {
    const { status, metadata } = workload
    const said = (type: string) => status.conditions?.find((condition) => condition.type === type)
    const isWell = said('Ready')?.status === 'True' && status.observedGeneration === metadata.generation
    const message = isWell ? said('Ready')?.message : said('Progressing')?.message
    if (message && message !== last) say(`${name}: ${message}\n`)
    last = message ?? last
    return isWell
  }
  try {
    const found = await workloads.get(name, deadline)
    if (isReady(found)) return
    for await (const change of workloads.watch({ since: found.metadata.resourceVersion, signal: deadline.signal })) {
      if (change.type === 'put' && change.object.metadata.name === name && isReady(change.object)) return
    }
  } finally {
    deadline.clear()
  }
}
