/** A workload that is deployed and rolled back again and again, while somebody listens through the edge. */
import { globalAgent } from 'node:http'
import { type System, settled, startSystem, until, webWorkload } from '@gantry/server/testing'
import { type Answers, ask, listen } from './answers.ts'

type Call = { readonly signal: AbortSignal }

export type Rollbacks = {
  /** Milliseconds from the decision until only the old release answers. */
  once(round: number): Promise<number>
  close(): Promise<void>
}

const name = 'shop'
const old = 'v1'
const connections = 4
/** Longer than a round, so that the old release is warm whenever somebody wants it back. */
const warmSeconds = 600
/** More than were under way when the last of the other release was heard. */
const inARow = 50

export async function openRollbacks(call: Call): Promise<Rollbacks> {
  const system = await startSystem()
  let answers: Answers | undefined
  const close = async (): Promise<void> => {
    await answers?.stop()
    const left = await system.dispose()
    if (left.length > 0) throw new Error(`left over: ${left.join('; ')}`)
  }
  try {
    await system.start()
    const strategy = { type: 'blue_green', warmSeconds }
    const { workloads } = system.client.tenant('default')
    const { metadata } = await workloads.put(webWorkload({ name, replicas: 2, env: { SAYS: old }, strategy }), call)
    await settled(system.client, name, metadata.generation)
    const hears = await answersOnce(system)
    answers = hears
    return {
      async once(round) {
        const says = `v${round + 3}`
        await workloads.deploy(name, { services: [{ name: 'web', env: { SAYS: says } }] }, call)
        await hears.onlyFrom(says, inARow, call)
        const decided = performance.now()
        await workloads.rollback(name, { to: 1 }, call)
        return (await hears.onlyFrom(old, inARow, call)) - decided
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The table reaches the edge a moment after the workload is ready. */
async function answersOnce({ edgePort }: System): Promise<Answers> {
  const host = `${name}.default.localhost`
  await until(
    'the edge to answer',
    () => ask(globalAgent, edgePort, host),
    (body) => body === old,
  )
  return listen({ port: edgePort, host, connections })
}
