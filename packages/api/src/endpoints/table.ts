/** Every endpoint there is. */
import type { Endpoint } from '../endpoint.ts'
import { actions } from './actions.ts'
import { apply, plan } from './apply.ts'
import { audit } from './audit.ts'
import { exec } from './exec.ts'
import { home } from './home.ts'
import { logs } from './logs.ts'
import { looks } from './looks.ts'
import { instances, releases, rollouts } from './made.ts'
import { portForward } from './port-forward.ts'
import { providers } from './providers.ts'
import { regions } from './regions.ts'
import { rolloutActs } from './rollout-acts.ts'
import { routes } from './routes.ts'
import { secrets } from './secrets.ts'
import { server } from './server.ts'
import { tenants } from './tenants.ts'
import { systemTokens, tokens } from './tokens.ts'
import { usage } from './usage.ts'
import { workloads } from './workloads.ts'

export const endpoints = {
  workloads,
  actions,
  rolloutActs,
  looks,
  routes,
  releases,
  rollouts,
  instances,
  secrets,
  tenants,
  home,
  providers,
  regions,
  tokens,
  systemTokens,
  audit,
  objects: { apply, plan },
  streams: { logs, usage, exec, portForward },
  server,
} as const

export type Endpoints = typeof endpoints

/** One after the other, for those who walk all of them. */
export const allEndpoints: readonly Endpoint[] = Object.values(endpoints).flatMap((group) => Object.values(group))
