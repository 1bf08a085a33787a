/** What must hold between the fields of a route. */
import type { Finding } from '../../validation/issues.ts'
import { ownDomain } from './own-host.ts'
import type { RouteSpec } from './spec.ts'

/** Otherwise one could take the name of somebody else's workload. */
export function notOwnDomain({ hosts }: RouteSpec): Finding[] {
  return hosts.flatMap((host, at) =>
    host === ownDomain || host.endsWith(`.${ownDomain}`)
      ? [
          {
            path: ['hosts', at],
            message: `is reserved: names below ${ownDomain} are those that workloads have by themselves`,
          },
        ]
      : [],
  )
}

export function eachOnce(spec: RouteSpec): Finding[] {
  return (['hosts', 'paths'] as const).flatMap((field) =>
    spec[field].flatMap((text, at) =>
      spec[field].indexOf(text) === at ? [] : [{ path: [field, at], message: `is there twice: ${text}` }],
    ),
  )
}

export const routeRules = [notOwnDomain, eachOnce] as const
