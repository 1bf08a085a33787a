/** What an engine cannot honour is refused before anything is made, with every path at once. */
import type { Call, ObjectOf } from '@gantry/core'
import { type Engine, inPlaceUpdate, refuseUnsupported, resolveSecrets } from '@gantry/providers'
import { assembleDesired } from '../../engines/desired-for.ts'
import { instanceSpec } from '../../rollout/instance-spec.ts'
import { secretSource } from '../../vault/secret-source.ts'
import type { ControllerDeps } from '../deps.ts'
import type { Content } from './content.ts'

export async function refuseWhatCannotRun(
  { vault, installation }: Pick<ControllerDeps, 'vault' | 'installation'>,
  engine: Engine,
  workload: ObjectOf<'Workload'>,
  { secretVersions, hash }: Content,
  call: Call,
): Promise<void> {
  const { spec, metadata } = workload
  const tenant = metadata.tenant ?? ''
  const { services } = await resolveSecrets(secretSource(vault), tenant, spec.services, secretVersions, call)
  const { type, strategy } = spec
  const update = inPlaceUpdate(strategy, type)
  const choice = { slot: 'a', provider: engine.type, type, release: 1, update, paused: false } as const
  const instance = instanceSpec(workload, choice)
  const desired = assembleDesired(tenant, instance, { number: 1, hash, images: {} }, services, installation)
  refuseUnsupported(engine, engine.declares, desired, strategy)
}
