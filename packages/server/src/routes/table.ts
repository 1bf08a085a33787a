/** Every endpoint, implemented: one that is missing here does not compile. */
import type { RollbackDeps } from '../actions/rollback.ts'
import { rolloutActRoutes } from '../actions/rollout-acts.ts'
import { actionRoutes } from '../actions/routes.ts'
import type { Routes } from '../app/implement.ts'
import { lookRoutes } from '../looks/routes.ts'
import { auditRoutes } from './audit.ts'
import type { RouteDeps } from './deps.ts'
import { homeRoutes } from './home.ts'
import { instanceRoutes, releaseRoutes, rolloutRoutes } from './made-kinds.ts'
import { objectRoutes } from './objects.ts'
import { providerRoutes, routeRoutes, secretRoutes, tenantRoutes, workloadRoutes } from './of-kind.ts'
import { regionRoutes } from './regions.ts'
import type { SecretDataRoutes } from './secret-data.ts'
import { serverRoutes } from './server.ts'
import { systemTokenRoutes, tokenRoutes } from './tokens.ts'

/** What other parts of the server bring. */
export type Parts = {
  readonly secretData: SecretDataRoutes
  readonly metrics: () => Promise<string>
  readonly streams: Routes['streams']
  /** Where a rollback looks for what it brings back. */
  readonly vault: RollbackDeps['vault']
}

export function routesOf(deps: RouteDeps, parts: Parts): Routes {
  return {
    workloads: workloadRoutes(deps),
    actions: actionRoutes(deps, parts.vault),
    rolloutActs: rolloutActRoutes(deps),
    looks: lookRoutes(deps),
    routes: routeRoutes(deps),
    releases: releaseRoutes(deps),
    rollouts: rolloutRoutes(deps),
    instances: instanceRoutes(deps),
    secrets: secretRoutes(deps, parts.secretData),
    tenants: tenantRoutes(deps),
    home: homeRoutes(deps),
    providers: providerRoutes(deps),
    regions: regionRoutes(deps),
    tokens: tokenRoutes(deps),
    systemTokens: systemTokenRoutes(deps),
    audit: auditRoutes(deps),
    objects: objectRoutes(deps),
    streams: parts.streams,
    server: serverRoutes(deps, parts.metrics),
  }
}
