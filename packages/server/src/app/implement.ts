/** Ties an endpoint to what does it. The table of routes has the shape of the table of endpoints, so none can be left out. */
import type { Endpoint, endpoints } from '@gantry/api'
import type { Answer, LinesAnswer, ReplyOf, RequestOf, StreamAnswer, UpgradeAnswer } from './request.ts'

export type Handler<E extends Endpoint> = (request: RequestOf<E>) => Promise<ReplyOf<E>>

export type Route<E extends Endpoint = Endpoint> = { readonly endpoint: E; readonly handle: Handler<E> }

export function implement<E extends Endpoint>(endpoint: E, handle: Handler<E>): Route<E> {
  return { endpoint, handle }
}

type Group<Endpoints> = {
  readonly [Name in keyof Endpoints]: Endpoints[Name] extends Endpoint ? Route<Endpoints[Name]> : never
}

/** One route for every endpoint there is, each with the endpoint's own types. */
export type Routes = { readonly [Name in keyof typeof endpoints]: Group<(typeof endpoints)[Name]> }

/** A route whose types were checked where it was made. */
export type AnyRoute = {
  readonly endpoint: Endpoint
  handle(request: unknown): Promise<Answer<Endpoint> | StreamAnswer | LinesAnswer<Endpoint> | UpgradeAnswer>
}

export function allRoutes(routes: Routes): AnyRoute[] {
  return Object.values(routes).flatMap((group) => Object.values(group) as unknown as AnyRoute[])
}
