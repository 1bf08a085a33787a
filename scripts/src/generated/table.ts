/** Every file that is made and not written: `npm run generate` makes it, and a rule holds that it is fresh. */
import { openApiDocument, wireTableSource } from '@gantry/api'
import { commandPages } from '@gantry/cli/commands'
import { faultsPage } from './faults-page.ts'
import { pauseProgramSource } from './pause/source.ts'

export type Generated = { readonly path: string; readonly generate: () => string }

export const generated: readonly Generated[] = [
  { path: 'docs/faults.md', generate: faultsPage },
  { path: 'packages/api/openapi.json', generate: () => `${JSON.stringify(openApiDocument(), null, 2)}\n` },
  { path: 'packages/api/src/light/wire-table.generated.ts', generate: wireTableSource },
  { path: 'packages/providers/src/docker/pause/programs.generated.ts', generate: pauseProgramSource },
  ...commandPages().map(({ file, text }) => ({ path: `docs/cli/${file}`, generate: () => text })),
]
