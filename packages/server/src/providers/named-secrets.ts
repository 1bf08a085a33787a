/** Pure: the Secrets that a Provider names, whose values its engine is opened with. */
import type { ObjectKey, ProviderSpec } from '@gantry/core'

export function namedSecrets({ docker }: ProviderSpec): ObjectKey[] {
  return docker?.tls ? [{ kind: 'Secret', tenant: docker.tls.tenant, name: docker.tls.secret }] : []
}
