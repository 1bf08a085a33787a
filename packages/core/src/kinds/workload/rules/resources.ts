import { compareQuantities, parseQuantity } from '../../../quantity.ts'
import type { Finding } from '../../../validation/issues.ts'
import type { WorkloadRule } from './rule.ts'

export const requestsWithinLimits: WorkloadRule = ({ services }) =>
  services.flatMap(({ resources, requests }, serviceAt) =>
    (['cpu', 'memory'] as const).flatMap((what): Finding[] => {
      const limit = resources[what]
      const request = requests[what]
      if (limit === undefined || request === undefined) return []
      if (compareQuantities(parseQuantity(request), parseQuantity(limit)) <= 0) return []
      return [
        { path: ['services', serviceAt, 'requests', what], message: `${request} is more than the limit, ${limit}` },
      ]
    }),
  )

/** Nothing can run in nothing: a limit of 0 would be taken for "no limit" by most engines. */
export const limitsAboveZero: WorkloadRule = ({ services }) =>
  services.flatMap(({ resources, volumes }, serviceAt) => [
    ...(['cpu', 'memory', 'disk'] as const)
      .filter((what) => resources[what] === '0')
      .map((what) => ({ path: ['services', serviceAt, 'resources', what], message: 'must be more than 0' })),
    ...volumes.flatMap(({ size }, at) =>
      size === '0' ? [{ path: ['services', serviceAt, 'volumes', at, 'size'], message: 'must be more than 0' }] : [],
    ),
  ])
