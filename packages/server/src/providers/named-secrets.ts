/** Pure: the Secrets that a Provider names, whose values its engine is opened with. */
import type { ObjectKey, ProviderSpec } from '@gantry/core'

export function namedSecrets({ docker, kubernetes }: ProviderSpec): ObjectKey[] {
  const kubeconfig = kubernetes?.kubeconfig?.secret
  return [
    ...(docker?.tls ? [{ kind: 'Secret', tenant: docker.tls.tenant, name: docker.tls.secret }] : []),
    ...(kubeconfig ? [{ kind: 'Secret', tenant: kubeconfig.tenant, name: kubeconfig.name }] : []),
  ]
}
