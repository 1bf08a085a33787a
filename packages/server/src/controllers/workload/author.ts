/** Who a release and its rollout are of, and why: what they said, else what changed. */
import { type Call, describeReleaseChanges, type ObjectOf, type ReleaseSpec, type RolloutSpec } from '@gantry/core'
import { askedBy } from '../../objects/asked-by.ts'
import type { ControllerDeps } from '../deps.ts'
import type { Content } from './content.ts'
import type { RolloutPlan } from './decide.ts'

export type Author = Pick<RolloutSpec, 'createdBy' | 'message'>

type Workload = ObjectOf<'Workload'>
type Made = {
  readonly plan: RolloutPlan
  readonly content: Content
  /** What was asked for before. */
  readonly last: ReleaseSpec | undefined
}

export async function authorOf(
  deps: Pick<ControllerDeps, 'store' | 'scope'>,
  workload: Workload,
  made: Made,
  call: Call,
): Promise<Author> {
  // Nobody touched the workload when a secret has changed: it is of whoever wrote that.
  const secret = made.plan.trigger === 'secret' ? changedSecret(workload, made) : undefined
  if (secret !== undefined) {
    const createdBy = await writerOf(deps, workload, secret, call)
    return { ...(createdBy !== undefined && { createdBy }), message: whatChanged(workload, made) }
  }
  const asked = askedBy(workload)
  return { ...(asked && { createdBy: asked.by }), message: asked?.message ?? whatChanged(workload, made) }
}

function whatChanged({ spec }: Workload, { plan, content, last }: Made): string {
  const { trigger, release } = plan
  if (trigger === 'rollback') return `back to v${release.number}`
  if (trigger === 'restart') return 'restart'
  if (trigger === 'move') return `to ${spec.provider === undefined ? spec.type : `provider ${spec.provider}`}`
  return describeReleaseChanges(last, content)
}

type Version = { readonly name: string; readonly version: number }

/** One that follows its newest version, and has got a newer one. */
function changedSecret({ spec }: Workload, { content, last }: Made): Version | undefined {
  for (const [name, version] of Object.entries(content.secretVersions)) {
    if (spec.secretVersions?.[name] === undefined && last?.secretVersions[name] !== version) return { name, version }
  }
  return undefined
}

async function writerOf(
  { store, scope }: Pick<ControllerDeps, 'store' | 'scope'>,
  { metadata: { tenant = '' } }: Workload,
  { name, version }: Version,
  call: Call,
): Promise<string | undefined> {
  const found = (await store.read(scope, { kind: 'Secret', tenant, name }, call)) as ObjectOf<'Secret'> | undefined
  return found?.status.versions?.find((one) => one.version === version)?.createdBy
}
