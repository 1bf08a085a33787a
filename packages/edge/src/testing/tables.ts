/** Tables for tests, with what a test does not care about filled in. */
import type { EdgeBackend, EdgeRoute, EdgeTable } from '../table.ts'

export const testHost = 'hello.default.localhost'

export type TableParts = {
  readonly number?: number
  readonly backends?: readonly EdgeBackend[]
  readonly routes?: readonly EdgeRoute[]
  readonly trusted?: readonly string[]
}

/** One route for all backends, unless routes are given. */
export function tableOf({ number = 1, backends = [], routes, trusted = [] }: TableParts): EdgeTable {
  const all = routes ?? [routeOf({ backends: backends.filter(({ leaving }) => !leaving).map(({ id }) => id) })]
  return { version: 1, number, backends, routes: all, trusted }
}

export type RouteParts = Partial<Omit<EdgeRoute, 'slots'>> & {
  readonly backends?: readonly string[]
  readonly slots?: EdgeRoute['slots']
}

export function routeOf({ backends = [], slots, ...rest }: RouteParts): EdgeRoute {
  return {
    id: `route${rest.host ?? ''}${rest.path ?? ''}`,
    host: testHost,
    path: '/',
    workload: { tenant: 'default', name: 'hello', uid: 'uid-hello' },
    slots: slots ?? [{ slot: 'a', weight: 100, backends }],
    ...rest,
  }
}
