/** Makes `packages/cli/dist/gantry.cjs`: the whole command line in one file, of which a command loads what it needs. */
import { join } from 'node:path'
import { build } from 'esbuild'
import { repositoryRoot } from './rules/files.ts'

const cli = join(repositoryRoot, 'packages/cli')

await build({
  entryPoints: [join(cli, 'src/main.ts')],
  outfile: join(cli, 'dist/gantry.cjs'),
  bundle: true,
  platform: 'node',
  // ES modules take a few milliseconds more to start.
  format: 'cjs',
  target: 'node20',
  conditions: ['gantry-source'],
  // The server is what `gantry serve` is about, and loads itself; the terminal of ws is optional.
  external: ['@gantry/server', 'bufferutil', 'utf-8-validate'],
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
})
