/** Pure: accounts at registries, as the kubelet reads them. They may change while the spec stays. */
import type { Desired, DesiredService } from '../../desired.ts'
import { parseReference } from '../../images/reference.ts'
import { resources } from '../api/resources.ts'
import type { SecretObject } from '../api/types/storage.ts'
import { pullSecretName } from '../names.ts'
import { base64 } from './content-objects.ts'
import type { Labels } from './labels.ts'
import { type PlannedObject, planned } from './planned.ts'

type Placed = { readonly namespace: string; readonly name: string; readonly labels: Labels }

/** One for each service that has one: two accounts at one registry do not fit into one. */
export const pullSecrets = ({ services }: Pick<Desired, 'services'>, placed: Placed): PlannedObject<SecretObject>[] =>
  services.flatMap((service) => pullSecret(service, placed))

function pullSecret(
  { name: service, image, pinnedImage, imagePullSecret }: DesiredService,
  { namespace, name, labels }: Placed,
): PlannedObject<SecretObject>[] {
  if (imagePullSecret === undefined) return []
  const { registry } = parseReference(pinnedImage ?? image ?? '')
  const [username, password] = [imagePullSecret.username.reveal(), imagePullSecret.password.reveal()]
  const auths = { [registry]: { username, password, auth: base64(`${username}:${password}`) } }
  const data = { '.dockerconfigjson': base64(JSON.stringify({ auths })) }
  const at = { namespace, name: pullSecretName(name, service) }
  const rest = { type: 'kubernetes.io/dockerconfigjson', data } as const
  return [planned<SecretObject>(resources.secret, at, { labels }, rest)]
}
