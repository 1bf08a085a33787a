/** Makes `packages/cli/dist/gantry.cjs`: the whole command line in one file, of which a command loads what it needs. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
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

/** What cannot be in the bundle: the server is a package that is imported, see there. */
const serverApart: Plugin = {
  name: 'server-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/load-server\.ts$/ }, () => ({ path: '../bin/load-server.cjs', external: true }))
  },
}

/** The schemas are most of the code and of use to one command: every other would spend a tenth of its time on reading past them. */
const schemasApart: Plugin = {
  name: 'schemas-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^@gantry\/core\/schemas$/ }, () => ({ path: './schemas.cjs', external: true }))
  },
}

await bundle({
  ...common,
  entryPoints: [join(cli, 'src/main.ts')],
  outfile: join(cli, 'dist/gantry.cjs'),
  // Optional parts of ws, which it does without.
  external: ['bufferutil', 'utf-8-validate'],
  plugins: [schemasApart, serverApart],
  // What is loaded later is in the same file or beside it.
  supported: { 'dynamic-import': false },
})

await bundle({
  ...common,
  entryPoints: [join(repositoryRoot, 'packages/core/src/schemas.ts')],
  outfile: join(cli, 'dist/schemas.cjs'),
})

async function bundle(options: BuildOptions): Promise<void> {
  const { outputFiles } = await build({ ...options, write: false })
  for (const { path, text } of outputFiles) {
    await mkdir(dirname(path), { recursive: true })
    // Whole or not at all: tests of others may be running it.
    await writeFile(`${path}.next`, inAscii(text))
    await rename(`${path}.next`, path)
  }
}

/** Patterns keep their letters, and one letter beyond ASCII makes V8 hold all of the text in twice the memory. */
function inAscii(text: string): string {
  return text.replaceAll(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
