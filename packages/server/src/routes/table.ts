/** Every endpoint, implemented: one that is missing here does not compile. */
import type { Routes } from '../app/implement.ts'
import { auditRoutes } from './audit.ts'
import type { RouteDeps } from './deps.ts'
import { instanceRoutes, releaseRoutes, rolloutRoutes } from './made-kinds.ts'
import { objectRoutes } from './objects.ts'
import { providerRoutes, secretRoutes, tenantRoutes, workloadRoutes } from './of-kind.ts'
import { serverRoutes } from './server.ts'
import { systemTokenRoutes, tokenRoutes } from './tokens.ts'

/** What other parts of the server bring. */
export type Parts = {
  readonly putData: Routes['secrets']['putData']
  readonly metrics: () => Promise<string>
}

export function routesOf(deps: RouteDeps, parts: Parts): Routes {
  return {
    workloads: workloadRoutes(deps),
    releases: releaseRoutes(deps),
    rollouts: rolloutRoutes(deps),
    instances: instanceRoutes(deps),
    secrets: secretRoutes(deps, parts.putData),
    tenants: tenantRoutes(deps),
    providers: providerRoutes(deps),
    tokens: tokenRoutes(deps),
    systemTokens: systemTokenRoutes(deps),
    audit: auditRoutes(deps),
    objects: objectRoutes(deps),
    server: serverRoutes(deps, parts.metrics),
  }
}
