import { endpoints, openApiDocument } from '@gantry/api'
import { implement, type Routes } from '../app/implement.ts'
import { backupRoute } from './backup.ts'
import type { RouteDeps } from './deps.ts'

export function serverRoutes(deps: RouteDeps, metrics: () => Promise<string>): Routes['server'] {
  const own = endpoints.server
  // Made when first asked for: it takes a while, and few ask.
  let openapi: string | undefined
  return {
    whoami: implement(own.whoami, async ({ identity: { name, grants } }) => ({
      body: { name, grants: grants.map((grant) => ({ ...grant })) },
    })),
    version: implement(own.version, async () => ({
      body: { version: deps.version, apiVersions: ['gantry/v1'], ...(deps.edge !== undefined && { edge: deps.edge }) },
    })),
    health: implement(own.health, async () => ({ body: { status: 'ok' as const } })),
    ready: implement(own.ready, async ({ signal }) => {
      const body = await deps.ready({ signal })
      return { status: body.ready ? 200 : 503, body }
    }),
    metrics: implement(own.metrics, async () => ({ body: await metrics() })),
    backup: backupRoute(deps),
    openapi: implement(own.openapi, async () => {
      openapi ??= JSON.stringify(openApiDocument())
      return { text: openapi }
    }),
  }
}
