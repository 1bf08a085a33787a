/** What a provider would ask an engine for, without a vault: every secret is empty. */
import { Secret, type ServiceSpec, type WorkloadSpec } from '@gantry/core'
import { contentHash } from '../content-hash.ts'
import { type Desired, type DesiredService, inPlaceUpdate } from '../desired.ts'
import { desiredSource } from '../from/resolve-source.ts'
import type { Ref } from '../ref.ts'

export function desiredFor(installation: string, ref: Ref, spec: WorkloadSpec): Desired {
  const { type, run, replicas, restart, strategy, stopGraceSeconds, expose, engine } = spec
  return {
    ref,
    installation,
    labels: {},
    type,
    run,
    replicas,
    release: 'r1',
    specHash: contentHash({ services: spec.services, ...(spec.source && { source: spec.source }), type }),
    services: spec.services.map(withoutValues),
    ...(spec.source && { source: desiredSource(spec.source) }),
    restart,
    update: inPlaceUpdate(strategy, type),
    stopGraceSeconds,
    expose,
    engine,
  }
}

const empty = new Secret('')

function withoutValues({ secrets, imagePullSecret, ...service }: ServiceSpec): DesiredService {
  const login = { version: 1, username: empty, password: empty }
  return {
    ...service,
    secrets: secrets.map(({ name, key, env, file }) => {
      const place = { ...(env === undefined ? {} : { env }), ...(file === undefined ? {} : { file }) }
      return { name, key, version: 1, value: empty, ...place }
    }),
    ...(imagePullSecret === undefined ? {} : { imagePullSecret: login }),
  }
}
