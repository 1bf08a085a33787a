/** The whole API as an OpenAPI 3.1 document. */
import { allEndpoints } from '../endpoints/table.ts'
import { operationOf } from './operation.ts'
import { componentResponses } from './problems.ts'
import { componentSchemas, type JsonSchema } from './schemas.ts'

export type OpenApiDocument = {
  readonly openapi: '3.1.0'
  readonly info: JsonSchema
  readonly security: readonly JsonSchema[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, JsonSchema>>
    readonly securitySchemes: JsonSchema
  }
}

export function openApiDocument(): OpenApiDocument {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const endpoint of allEndpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operationOf(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gantry',
      version: 'v1',
      description: 'A control plane for workloads. Every fault is an application/problem+json with kind and reason.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: [{ token: [] }],
    paths,
    components: {
      schemas: componentSchemas(),
      responses: componentResponses(),
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A token of a tenant or of the installation' },
      },
    },
  }
}
