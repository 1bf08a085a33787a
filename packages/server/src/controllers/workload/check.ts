/** What an engine cannot honour is refused before anything is made or changed, with every path at once. */
import { type Call, type ObjectOf, Secret, type ServiceSpec, type SourceSpec } from '@gantry/core'
import {
  credentialsName,
  type DesiredService,
  type DesiredSource,
  desiredSource,
  type Engine,
  inPlaceUpdate,
  refuseUnsupported,
} from '@gantry/providers'
import { assembleDesired } from '../../engines/desired-for.ts'
import { openSource } from '../../engines/sealed-source.ts'
import { instanceSpec } from '../../rollout/instance-spec.ts'
import type { ControllerDeps } from '../deps.ts'

/** Throws `field_unsupported` or `capability_missing`. */
export async function refuseWhatCannotRun(
  { vault }: Pick<ControllerDeps, 'vault'>,
  engine: Engine,
  workload: ObjectOf<'Workload'>,
  call: Call,
): Promise<void> {
  const { spec, metadata } = workload
  const { type, strategy } = spec
  const update = inPlaceUpdate(strategy, type)
  const choice = { slot: 'a', provider: engine.type, type, release: 1, update, paused: false } as const
  const instance = instanceSpec(workload, choice)
  const release = { number: 1, hash: '', images: {} }
  const services = spec.services.map(withoutValues)
  const source = await sourceOf(vault, engine, workload, call)
  const desired = assembleDesired(metadata.tenant ?? '', instance, release, { services, source }, '')
  refuseUnsupported(engine, engine.declares, desired, strategy)
}

/** What others wrote is all that can be judged of a source, so it is read; credentials are not. */
async function sourceOf(
  vault: ControllerDeps['vault'],
  engine: Engine,
  { metadata: { tenant = '', uid }, spec }: ObjectOf<'Workload'>,
  call: Call,
): Promise<DesiredSource | undefined> {
  if (!spec.source) return undefined
  // Who does not know such a source at all need not be shown it.
  const isKnown = engine.declares.has(spec.source.helm ? 'source:helm' : 'source:manifests')
  if (!isKnown) return desiredSource(withoutContents(spec.source))
  const opened = await openSource(vault, { tenant, owner: uid }, spec.source, call)
  const value = new Secret('')
  const credentials = { version: 1, username: value, password: value }
  return desiredSource(opened, credentialsName(opened) === undefined ? undefined : credentials)
}

const withoutContents = ({ manifests, helm }: SourceSpec): SourceSpec =>
  helm ? { helm: { ...helm, values: {}, valuesFiles: [], set: {}, chart: { path: '/' } } } : { manifests }

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
