/**
 * Pure: the first step of a workload's first rollout. There is nothing yet that could be seen, so it is known before the
 * rollout is written, and both are written together: whoever starts something waits for one commit, not for three.
 */
import type { ObjectOf, RolloutSpec, StatusOf } from '@gantry/core'
import type { Command } from '@gantry/store'
import type { RolloutFacts } from '../../rollout/facts.ts'
import { putInstance } from '../../rollout/instance-spec.ts'
import { nextStep } from '../../rollout/next-step.ts'
import type { InstanceLook } from '../workload/status.ts'
import { chosenSpec } from './deeds.ts'
import { toldStatus } from './told.ts'

/** Rollout and instances as they are once this is written, and what makes the instances. */
export type Opening = {
  readonly rollout: { readonly spec: RolloutSpec; readonly status: StatusOf<'Rollout'> }
  readonly instances: readonly InstanceLook[]
  readonly commands: readonly Command[]
}

/** Only for a workload that has neither rollouts nor instances. */
export function openingOf(workload: ObjectOf<'Workload'>, spec: RolloutSpec, now: number): Opening {
  const blank = { spec, status: {} }
  const { deeds, status } = nextStep(blank, nothingYet(workload), now)
  const specs = deeds.flatMap((deed) => (deed.do === 'put' ? [chosenSpec(spec, workload, undefined, deed)] : []))
  return {
    rollout: { spec, status: toldStatus(blank, status, firstGeneration, now) },
    instances: specs.map((each) => ({ metadata: { generation: firstGeneration }, spec: each, status: {} })),
    commands: specs.map((each) => putInstance(workload, undefined, each)),
  }
}

const firstGeneration = 1

function nothingYet({ spec, status }: ObjectOf<'Workload'>): RolloutFacts {
  return {
    slots: {},
    wanted: spec.run === 'stopped' ? 0 : spec.replicas,
    ...(status.stable && { stable: status.stable }),
    traffic: { acknowledged: false },
    superseded: false,
    leaving: false,
  }
}
