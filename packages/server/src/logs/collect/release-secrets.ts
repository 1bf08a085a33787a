/** The values that a release was given, as its object and the vault have them. */
import { Fault, type ObjectOf, releaseName, type Secret } from '@gantry/core'
import { resolveSecrets, type SecretSource } from '@gantry/providers'
import type { Scope, Store } from '@gantry/store'
import type { SecretsOf } from './masks.ts'

export function releaseSecrets(store: Store, scope: Scope, secrets: SecretSource): SecretsOf {
  return async ({ tenant, workload }, release, call) => {
    const number = /^v([1-9]\d*)$/.exec(release)?.[1]
    const name = number === undefined ? undefined : releaseName(workload, Number(number))
    const found = name === undefined ? undefined : await store.read(scope, { kind: 'Release', tenant, name }, call)
    if (!found) throw new Fault('release_not_found', `There is no release ${release} of ${tenant}/${workload}`)
    const { spec } = found as unknown as ObjectOf<'Release'>
    const { services } = await resolveSecrets(secrets, tenant, spec.services, spec.secretVersions, call)
    return services.flatMap((service): Secret[] => [
      ...service.secrets.map(({ value }) => value),
      ...(service.imagePullSecret ? [service.imagePullSecret.password] : []),
    ])
  }
}
