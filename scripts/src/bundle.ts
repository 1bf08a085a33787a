/** Makes `packages/cli/dist/gantry.cjs`: the whole command line in one file, of which a command loads what it needs. */
import { join } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { repositoryRoot } from './rules/files.ts'

const cli = join(repositoryRoot, 'packages/cli')

const common = {
  bundle: true,
  platform: 'node',
  // ES modules take a few milliseconds more to start.
  format: 'cjs',
  target: 'node20',
  conditions: ['gantry-source'],
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions

/** The schemas are most of the code and of use to one command: every other would spend a tenth of its time on reading past them. */
const schemasApart: Plugin = {
  name: 'schemas-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^@gantry\/core\/schemas$/ }, () => ({ path: './schemas.cjs', external: true }))
  },
}

await build({
  ...common,
  entryPoints: [join(cli, 'src/main.ts')],
  outfile: join(cli, 'dist/gantry.cjs'),
  // The server is what `gantry serve` is about, and loads itself; the terminal of ws is optional.
  external: ['@gantry/server', 'bufferutil', 'utf-8-validate'],
  plugins: [schemasApart],
})

await build({
  ...common,
  entryPoints: [join(repositoryRoot, 'packages/core/src/schemas.ts')],
  outfile: join(cli, 'dist/schemas.cjs'),
})
