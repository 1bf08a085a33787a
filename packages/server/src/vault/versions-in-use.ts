/**
 * Versions of secrets that releases name. A release must be able to run again as it was, also when its Secret was deleted
 * since: such versions are let go from the Secret before it goes, and lie in the vault until no release names them.
 */
import type { Call, GantryObject, ReleaseSpec, WorkloadSpec } from '@gantry/core'
import type { Command, Store, SystemScope } from '@gantry/store'
import { readRow, type VersionSpec, versionKey } from './rows.ts'

export type SecretName = { readonly tenant: string; readonly name: string }

type Deps = { readonly store: Store; readonly scope: SystemScope }

const atOnce = 500

/** On a version that belongs to no Secret any more. */
const letGoLabel = { key: 'gantry.dev/let-go', value: 'true' } as const
export const letGoSelector = `${letGoLabel.key}=${letGoLabel.value}`

/** Named by a release that is kept, or pinned by a workload that was rolled back. */
export async function secretVersionsInUse(
  deps: Deps,
  { tenant, name }: SecretName,
  call: Call,
): Promise<ReadonlySet<number>> {
  const used = new Set<number>()
  for (const kind of ['Release', 'Workload']) {
    for await (const { spec } of all(deps, kind, tenant, call)) {
      const version = (spec as Partial<Pick<ReleaseSpec & WorkloadSpec, 'secretVersions'>>).secretVersions?.[name]
      if (version !== undefined) used.add(version)
    }
  }
  return used
}

/** What lets them go, to be written before the deletion of the Secret and together with it. */
export async function keepVersionsInUse(deps: Deps, secret: SecretName, call: Call): Promise<Command[]> {
  const { tenant, name } = secret
  const commands: Command[] = []
  for (const version of await secretVersionsInUse(deps, secret, call)) {
    const key = versionKey(tenant, name, version)
    const row = await readRow<VersionSpec>(deps.store, key, call)
    if (!row) continue
    const { generation, labels, annotations } = row.metadata
    const marked = { ...labels, [letGoLabel.key]: letGoLabel.value }
    const draft = { key, spec: row.spec, labels: marked, annotations, ownerRefs: [] }
    commands.push({ op: 'replace', draft, ifGeneration: generation })
  }
  return commands
}

async function* all({ store, scope }: Deps, kind: string, tenant: string, call: Call): AsyncGenerator<GantryObject> {
  let from: string | undefined
  do {
    const query = { kind, tenant, limit: atOnce, ...(from !== undefined && { continue: from }) }
    const page = await store.list(scope, query, call)
    yield* page.items
    from = page.continue
  } while (from !== undefined)
}
