/** One endpoint as an operation of the document. */
import type { Endpoint, Precondition } from '../endpoint.ts'
import { faultsOf } from '../faults-of.ts'
import { problemType } from '../schemas/problem-headers.ts'
import { byStatus, responseName } from './problems.ts'
import { type JsonSchema, schemaOf } from './schemas.ts'

type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: true
  description?: string
  schema: object
}

export function operationOf(endpoint: Endpoint): JsonSchema {
  const { operation, summary, permission, scope, body, upgrade } = endpoint
  const parameters = [...fieldsOf(endpoint, 'path'), ...fieldsOf(endpoint, 'query'), ...headersOf(endpoint)]
  return {
    operationId: operation,
    summary,
    tags: [operation.split('.')[0]],
    ...(permission === 'public' && { security: [] }),
    'x-gantry-permission': permission,
    'x-gantry-scope': scope,
    ...(parameters.length > 0 && { parameters }),
    ...(upgrade && {
      'x-gantry-frames': { client: schemaOf(upgrade.client), server: schemaOf(upgrade.server) },
    }),
    ...(body && { requestBody: { required: true, content: { [body.type]: { schema: schemaOf(body.schema) } } } }),
    responses: responsesOf(endpoint),
  }
}

function fieldsOf({ params, query }: Endpoint, place: 'path' | 'query'): Parameter[] {
  const { properties = {} } = schemaOf(place === 'path' ? params : query) as { properties?: Record<string, JsonSchema> }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    ...(place === 'path' && { required: true }),
    ...(typeof description === 'string' && { description }),
    schema,
  }))
}

const conditions = {
  if_match: {
    name: 'If-Match',
    in: 'header',
    description:
      'The generation that was read, in quotes: refused with generation_conflict if the spec has changed since',
    schema: { type: 'string', pattern: '^"[1-9][0-9]{0,15}"$' },
  },
  if_none_match: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Make it only if there is none: refused with already_exists otherwise',
    schema: { const: '*' },
  },
} as const satisfies Record<Precondition, Parameter>

const lastEventId: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The id of the last event that was read: the stream goes on right after it',
  schema: { type: 'string', pattern: '^[0-9]{1,16}$' },
}

function headersOf({ preconditions = [], stream }: Endpoint): Parameter[] {
  return [...preconditions.map((one) => conditions[one]), ...(stream ? [lastEventId] : [])]
}

function responsesOf(endpoint: Endpoint): JsonSchema {
  const { reply, stream, lines } = endpoint
  const content = {
    [reply.type]: { schema: schemaOf(reply.schema) },
    ...(stream && { 'text/event-stream': { schema: schemaOf(stream.schema) } }),
    ...(lines && { 'text/event-stream': { schema: schemaOf(reply.schema) } }),
  }
  const problems: Record<string, JsonSchema> = Object.fromEntries(
    [...byStatus(faultsOf(endpoint))].map(([status, kinds]) => [
      status,
      { $ref: `#/components/responses/${responseName(kinds)}` },
    ]),
  )
  const good = reply.statuses.map((status) => {
    const besides = problems[status] && { [problemType]: { schema: { $ref: '#/components/schemas/Problem' } } }
    return [status, { description: words[status], content: { ...content, ...besides } }]
  })
  return { ...problems, ...Object.fromEntries(good) }
}

const words = {
  101: 'A WebSocket from here on; sub-protocol gantry.v1',
  200: 'Done',
  201: 'Made',
  202: 'Accepted: it is being done',
  503: 'Not now',
} as const satisfies Record<Endpoint['reply']['statuses'][number], string>
