/** What an engine cannot honour is refused before anything is made, with every path at once. */
import type { Call, ObjectOf } from '@gantry/core'
import { type Engine, inPlaceUpdate, refuseUnsupported, resolveSecrets } from '@gantry/providers'
import { assembleDesired } from '../../engines/desired-for.ts'
import { secretSource } from '../../vault/secret-source.ts'
import type { ControllerDeps } from '../deps.ts'
import { inPlaceFields } from '../instance-fields.ts'
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
  const instance = {
    ...inPlaceFields(workload),
    workload: metadata.name,
    uid: metadata.uid,
    slot: 'a' as const,
    type: spec.type,
    update: inPlaceUpdate(spec.strategy, spec.type),
  }
  const desired = assembleDesired(tenant, instance, { number: 1, hash, images: {} }, services, installation)
  refuseUnsupported(engine, engine.declares, desired, spec.strategy)
}
