import { z } from 'zod'
import { readyWord } from '../columns.ts'
import { defineKind } from '../define-kind.ts'
import { commonStatus } from '../envelope.ts'
import { routeRules } from './rules.ts'
import { type RouteSpec, routeFields } from './spec.ts'

export const routeStatus = z.strictObject({ ...commonStatus })
export type RouteStatus = z.output<typeof routeStatus>

export const routeKind = defineKind({
  kind: 'Route',
  plural: 'routes',
  short: 'rt',
  scope: 'tenant',
  about: 'Hosts and paths of your own at the edge, and the workload that answers there.',
  spec: routeFields,
  status: routeStatus,
  complete: (written): RouteSpec => written,
  rules: routeRules,
  reserved: { 'spec.tls': 'certificates and domains come in a later version' },
  columns: [
    { title: 'HOSTS', value: ({ spec }) => spec.hosts.join(',') },
    { title: 'PATHS', value: ({ spec }) => spec.paths.join(',') },
    { title: 'WORKLOAD', value: ({ spec }) => spec.workload },
    { title: 'READY', value: readyWord },
    { title: 'PORT', wide: true, value: ({ spec }) => spec.port ?? '-' },
  ],
})
