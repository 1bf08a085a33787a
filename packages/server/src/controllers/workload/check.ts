/** Pure: what an engine cannot honour is refused before anything is made or changed, with every path at once. */
import { type ObjectOf, Secret, type ServiceSpec } from '@gantry/core'
import { type DesiredService, type Engine, inPlaceUpdate, refuseUnsupported } from '@gantry/providers'
import { assembleDesired } from '../../engines/desired-for.ts'
import { instanceSpec } from '../../rollout/instance-spec.ts'

/** Throws `field_unsupported` or `capability_missing`. */
export function refuseWhatCannotRun(engine: Engine, workload: ObjectOf<'Workload'>): void {
  const { spec, metadata } = workload
  const { type, strategy } = spec
  const update = inPlaceUpdate(strategy, type)
  const choice = { slot: 'a', provider: engine.type, type, release: 1, update, paused: false } as const
  const instance = instanceSpec(workload, choice)
  const release = { number: 1, hash: '', images: {} }
  const desired = assembleDesired(metadata.tenant ?? '', instance, release, spec.services.map(withoutValues), '')
  refuseUnsupported(engine, engine.declares, desired, strategy)
}

/** Whether something can be run does not depend on what the secrets are, so nobody has to open the vault to know. */
function withoutValues({ secrets, imagePullSecret, ...service }: ServiceSpec): DesiredService {
  const value = new Secret('')
  const places = secrets.map(({ name, key, env, file }) => ({
    name,
    key,
    version: 1,
    value,
    ...(env === undefined ? {} : { env }),
    ...(file === undefined ? {} : { file }),
  }))
  const pull =
    imagePullSecret === undefined ? {} : { imagePullSecret: { version: 1, username: value, password: value } }
  return { ...service, secrets: places, ...pull }
}
