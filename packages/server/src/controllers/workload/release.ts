/** A release that is about to be made: its images as they are now, and its place among the others. */
import { type Call, type ObjectOf, type ReleaseSpec, releaseChanges, releaseName } from '@gantry/core'
import { type Engine, pinImages, resolveSecrets } from '@gantry/providers'
import type { Command } from '@gantry/store'
import { secretSource } from '../../vault/secret-source.ts'
import type { ControllerDeps } from '../deps.ts'
import type { Content } from './content.ts'
import { madeFor } from './made-for.ts'

/** Looks up what tags mean now, where the engine can tell. An image that did not change keeps what it meant, unless deployed anew. */
export async function releaseSpec(
  { vault }: Pick<ControllerDeps, 'vault'>,
  engine: Pick<Engine, 'resolveImage'>,
  { metadata: { tenant = '', name } }: ObjectOf<'Workload'>,
  number: number,
  { services, source, secretVersions, hash, stamp }: Content,
  before: ObjectOf<'Release'> | undefined,
  call: Call,
): Promise<ReleaseSpec> {
  const images = await pinned()
  const marks = stamp === undefined ? {} : { stamp }
  const changes = releaseChanges(before?.spec, { services, source, secretVersions })
  return {
    workload: name,
    number,
    hash,
    services: [...services],
    ...(source && { source }),
    secretVersions,
    images,
    ...marks,
    ...(changes.length > 0 && { changes }),
  }

  async function pinned(): Promise<Record<string, string>> {
    if (!engine.resolveImage || services.every(({ image }) => image === undefined)) return {}
    const resolved = await resolveSecrets(secretSource(vault), tenant, services, secretVersions, call)
    const isDeployedAnew = before !== undefined && before.spec.stamp !== stamp
    return { ...(await pinImages(engine, resolved.services, before?.spec, () => isDeployedAnew, call)) }
  }
}

export function createRelease(workload: ObjectOf<'Workload'>, spec: ReleaseSpec): Command {
  const key = { kind: 'Release', tenant: workload.metadata.tenant ?? '', name: releaseName(spec.workload, spec.number) }
  return { op: 'create', draft: { key, spec, ...madeFor(workload) } }
}
