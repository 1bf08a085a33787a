/** Many containers of one workload, made by our own engine, to be looked at. */
import { sleep, systemClock, workloadKind } from '@gantry/core'
import { type Desired, inPlaceUpdate, leaveAtOnce, type Ref } from '@gantry/providers'
import { dockerEngine } from '@gantry/providers/docker'
import type { Daemon } from './stage.ts'
import { idleWorkload } from './workloads.ts'

type Call = { readonly signal: AbortSignal }

export type Crowd = {
  /** Asks the daemon, and answers how many replicas are ready. */
  look(): Promise<number>
  close(): Promise<void>
}

const installation = 'bench'
const ref: Ref = { tenant: 'default', workload: 'crowd', uid: 'crowd', slot: 'a' }
const lookAgainMs = 500

export async function openCrowd({ address }: Daemon, replicas: number, call: Call): Promise<Crowd> {
  const { socket, subnets, image } = address
  const options = { installation, clock: systemClock, leaving: leaveAtOnce, endpoint: { socket }, subnets }
  const engine = await dockerEngine(options, call)
  const desired = desiredFor(image, replicas)
  for (;;) {
    const pass = await engine.converge(desired, call)
    if (pass.state === 'done') break
    await sleep(systemClock, Math.min(pass.afterMs, lookAgainMs), call)
  }
  return {
    async look() {
      const seen = await engine.look(ref, call)
      return seen?.replicas.filter(({ ready }) => ready).length ?? 0
    },
    close: () => engine.close(),
  }
}

function desiredFor(image: string, replicas: number): Desired {
  const { spec } = workloadKind.parse(idleWorkload(ref.workload, image))
  return {
    ref,
    installation,
    labels: {},
    type: spec.type,
    run: spec.run,
    replicas,
    release: '1',
    specHash: 'crowd',
    services: spec.services.map(({ imagePullSecret: _, ...service }) => ({ ...service, secrets: [] })),
    restart: spec.restart,
    update: inPlaceUpdate(spec.strategy, spec.type),
    stopGraceSeconds: spec.stopGraceSeconds,
    expose: spec.expose,
    engine: spec.engine,
  }
}
