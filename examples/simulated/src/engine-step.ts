/** One instance on an engine as a step of convergence: what an engine's pass says, in the words of provisioners. */
import { type Call, Fault, type GantryObject, type WorkloadSpec } from '@gantry/core'
import { contentHash, type Desired, type Engine, inPlaceUpdate, type Pass } from '@gantry/providers'
import { couldNotLook, done, failed, type Provisioner, type Result, waiting } from '@gantry/reconcile'

export function engineStep(engine: Engine, installation: string, workload: GantryObject<WorkloadSpec>): Provisioner {
  const desired = desiredFor(workload, installation)
  return {
    name: 'instance-a',
    async provision(call) {
      const issues = engine.check(desired)
      if (issues.length > 0) throw new Fault('field_unsupported', 'This engine cannot do all of it', { issues })
      const result = await inOurWords(() => engine.converge(desired, call), call)
      return result.state === 'yield' ? await orStalled(result, call) : result
    },
    deprovision: (call) => inOurWords(() => engine.remove(desired.ref, { retained: 'keep' }, call), call),
  }

  /** A wait that will not end well by itself is told as what it is. */
  async function orStalled(result: Result, call: Call): Promise<Result> {
    const stalled = (await engine.look(desired.ref, call))?.stalled
    return stalled ? failed('', new Fault(stalled.reason, stalled.message)) : result
  }
}

async function inOurWords(pass: () => Promise<Pass>, { signal }: Call): Promise<Result> {
  try {
    const came = await pass()
    return came.state === 'done' ? done() : waiting('', came.reason, { retryAfterMs: came.afterMs })
  } catch (error) {
    signal.throwIfAborted()
    return couldNotLook('', error)
  }
}

function desiredFor({ metadata, spec }: GantryObject<WorkloadSpec>, installation: string): Desired {
  const { type, run, replicas, restart, stopGraceSeconds, expose, engine } = spec
  // No vault here, so no secrets: the demonstration's file has none.
  const services = spec.services.map(({ imagePullSecret: _, ...service }) => ({ ...service, secrets: [] }))
  return {
    ref: { tenant: metadata.tenant ?? '', workload: metadata.name, uid: metadata.uid, slot: 'a' },
    installation,
    labels: metadata.labels,
    type,
    run,
    replicas,
    release: `v${metadata.generation}`,
    specHash: contentHash({ services }),
    services,
    restart,
    update: inPlaceUpdate(spec.strategy, type),
    stopGraceSeconds,
    expose,
    engine,
  }
}
