/** Actions on a workload: each reads what is asked for now, and writes over exactly that. */
import { randomBytes } from 'node:crypto'
import { endpoints, etagOf } from '@gantry/api'
import { type Action, admitAction, type GantryObject, type ObjectOf } from '@gantry/core'
import type { Scope } from '@gantry/store'
import { implement, type Routes } from '../app/implement.ts'
import { viewText } from '../objects/annotations.ts'
import { patchObjectWith, type WriteRequest } from '../objects/write.ts'
import type { RouteDeps } from '../routes/deps.ts'
import {
  deployPatch,
  restartPatch,
  rollbackPatch,
  type SpecPatch,
  scalePatch,
  startPatch,
  stopPatch,
} from './patches.ts'
import { type BroughtBack, type RollbackDeps, releaseToBringBack } from './rollback.ts'
import { stateForAction } from './state.ts'

type Asked = Pick<WriteRequest, 'conditions' | 'recording' | 'signal' | 'message'> & {
  readonly params: { readonly tenant: string; readonly name: string }
  readonly access: Scope
  readonly identity: { readonly name: string }
}

/** `release`: one that is brought back, to whose contents the spec refers. */
type Changed = { readonly spec: SpecPatch; readonly release?: BroughtBack }

export function actionRoutes(deps: RouteDeps, vault: RollbackDeps['vault']): Routes['actions'] {
  const own = endpoints.actions
  const stamp = (): string => `${new Date(deps.clock.now()).toISOString()}-${randomBytes(4).toString('hex')}`

  async function act(
    action: Action,
    { params, access, identity, ...request }: Asked,
    patchOf: (workload: ObjectOf<'Workload'>) => Changed | Promise<Changed>,
  ) {
    const write = {
      ...request,
      kind: 'Workload',
      key: { kind: 'Workload', ...params },
      scope: access,
      by: identity.name,
    } as const
    const { object } = await patchObjectWith(deps, write, async (found) => {
      const workload = found as ObjectOf<'Workload'>
      const nothing = admitAction(action, stateForAction(workload)) === 'already'
      const { spec, release } = nothing ? { spec: {} } : await patchOf(workload)
      return { patch: { spec }, release }
    })
    return { text: viewText(object as GantryObject), headers: { etag: etagOf(object.metadata.generation) } }
  }

  return {
    deploy: implement(own.deploy, (request) =>
      act('deploy', said(request), ({ spec }) => ({ spec: deployPatch(spec, request.body, stamp()) })),
    ),
    rollback: implement(own.rollback, (request) =>
      act('rollback', said(request), async (workload) => {
        const release = await releaseToBringBack({ ...deps, vault }, workload, request.body.to, request)
        return { spec: rollbackPatch(workload.spec, release), release }
      }),
    ),
    scale: implement(own.scale, (request) =>
      act('scale', request, ({ spec }) => ({ spec: scalePatch(spec, request.body) })),
    ),
    start: implement(own.start, (request) => act('start', request, () => ({ spec: startPatch }))),
    stop: implement(own.stop, (request) => act('stop', request, () => ({ spec: stopPatch }))),
    restart: implement(own.restart, (request) => act('restart', request, () => ({ spec: restartPatch(stamp()) }))),
  }
}

/** With why it is done, if they say so. */
function said<Request extends { readonly body: { readonly message?: string | undefined } }>(request: Request) {
  return { ...request, message: request.body.message }
}
