import { readyWord, unknownSince } from '../columns.ts'
import { faceOf } from '../face.ts'
import type { RouteStatus } from './route.ts'
import type { RouteSpec } from './spec.ts'

export const routeFace = faceOf<RouteSpec, RouteStatus>()({
  kind: 'Route',
  plural: 'routes',
  short: 'rt',
  scope: 'tenant',
  about: 'Hosts and paths of your own at the edge, and the workload that answers there.',
  columns: [
    { title: 'HOSTS', value: ({ spec }) => spec.hosts.join(',') },
    { title: 'PATHS', value: ({ spec }) => spec.paths.join(',') },
    { title: 'WORKLOAD', value: ({ spec }) => spec.workload },
    { title: 'READY', value: readyWord, since: unknownSince },
    { title: 'PORT', wide: true, value: ({ spec }) => spec.port ?? '-' },
  ],
})
