/**
 * The files that a replica's services find, config and secrets alike: pure. They lie in one volume of memory, each service's
 * in a folder of its own, and every file is bound into its service alone.
 */
import { Secret } from '@gantry/core'
import type { DesiredService } from '../../desired.ts'

export type PlannedFile = {
  readonly service: string
  /** Below the volume: `web/0`. Says nothing about what it is. */
  readonly at: string
  /** Where the service finds it. */
  readonly target: string
  readonly mode: number
  /** Config too: it is kept in the vault like a secret. */
  readonly content: Secret
}

/** A secret is for the service's own user alone, who has no business to change it. */
const secretMode = 0o400

/** None for services that are told everything otherwise: no volume is needed then. */
export function planFiles(
  services: readonly Pick<DesiredService, 'name' | 'configFiles' | 'secrets'>[],
): readonly PlannedFile[] {
  return services.flatMap(({ name: service, configFiles, secrets }) => {
    const config = configFiles.map(({ path: target, mode, content }) => ({
      target,
      mode: Number.parseInt(mode, 8),
      content: new Secret(content),
    }))
    const told = secrets.flatMap(({ file: target, value: content }) =>
      target === undefined ? [] : [{ target, mode: secretMode, content }],
    )
    return [...config, ...told].map((file, place) => ({ service, at: `${service}/${place}`, ...file }))
  })
}
