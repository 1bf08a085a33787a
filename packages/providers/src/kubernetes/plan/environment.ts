/** Pure: the environment of a service. Values of secrets are referred to, and so are in no pod's spec. */
import type { DesiredService } from '../../desired.ts'
import { environmentOf } from '../../environment.ts'
import type { EnvVar } from '../api/types/pods.ts'
import type { ContentPart } from './contents.ts'

export function envOf(
  service: DesiredService,
  siblings: readonly DesiredService[],
  parts: readonly ContentPart[],
): readonly EnvVar[] {
  const told = new Map<string, EnvVar>()
  for (const [name, value] of Object.entries(environmentOf({ ...service, secrets: [] }, siblings))) {
    told.set(name, { name, value: literal(value) })
  }
  const ours = environmentOf({ ...service, ports: [], env: {}, secrets: [] }, siblings)
  for (const { name: secret, entries } of parts) {
    for (const { service: owner, key, env: name } of entries) {
      if (owner !== service.name || name === undefined || name in ours) continue
      told.set(name, { name, valueFrom: { secretKeyRef: { name: secret, key } } })
    }
  }
  return [...told.values()]
}

/** Kubernetes would put other variables in for `$(NAME)`, also in commands; `$$` is how it writes a `$` that stays one. */
export const literal = (text: string): string => (/\$[$(]/.test(text) ? text.replaceAll('$', '$$$$') : text)
