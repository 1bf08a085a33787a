import type { Endpoint } from '../endpoint.ts'
import { endpoints } from '../endpoints/table.ts'
import { wireOf } from './wire-endpoint.ts'

/** The text of `wire-table.generated.ts`. */
export function wireTableSource(): string {
  const groups = Object.entries(endpoints).map(([name, group]) => {
    const lines = Object.entries(group as Record<string, Endpoint>).map(
      ([verb, endpoint]) => `    ${verb}: ${literal(wireOf(endpoint))},`,
    )
    return [`  ${name}: {`, ...lines, '  },'].join('\n')
  })
  const head = '/** Made from the endpoints by `npm run generate`. */'
  const type = "import type { WireTable } from './wire-endpoint.ts'"
  return [head, type, '', 'export const wireTable: WireTable = {', ...groups, '}', ''].join('\n')
}

function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll('"', "'").replaceAll(',', ', ')
}
