/** Makes `packages/cli/dist/*.cjs`: the command line in one file, of which a command runs what it needs, and parts beside it. */
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
  // Optional parts of ws, which it does without.
  external: ['bufferutil', 'utf-8-validate'],
} as const satisfies BuildOptions

/** What cannot be in the bundle: the server is a package that is imported, see there. */
const serverApart: Plugin = {
  name: 'server-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/load-server\.ts$/ }, () => ({ path: '../bin/load-server.cjs', external: true }))
  },
}

/** Most of the code, and of use to some commands: every other would spend a tenth of its time on reading past it. */
const parts = { schemas: '@gantry/core/schemas', yaml: 'yaml', ws: 'ws' } as const

/** Parts are loaded by bin/gantry.cjs, which knows them by these names. */
const partsApart: Plugin = {
  name: 'parts-apart',
  setup({ onResolve }) {
    for (const [part, module] of Object.entries(parts)) {
      onResolve({ filter: new RegExp(`^${module}$`) }, () => ({ path: `gantry-part:${part}`, external: true }))
    }
  },
}

// The bundle last: it is what names a build, and is made for the parts that are there.
for (const [part, module] of Object.entries(parts)) {
  await bundle(part, { stdin: { contents: `module.exports = require('${module}')`, resolveDir: cli } })
}

await bundle('gantry', {
  entryPoints: [join(cli, 'src/main.ts')],
  plugins: [partsApart, serverApart],
  // What is loaded later is in the same file or beside it.
  supported: { 'dynamic-import': false },
})

async function bundle(part: string, options: BuildOptions): Promise<void> {
  const { outputFiles } = await build({ ...common, ...options, write: false })
  const path = join(cli, 'dist', `${part}.cjs`)
  await mkdir(dirname(path), { recursive: true })
  // Whole or not at all: tests of others may be running it.
  await writeFile(`${path}.next`, outputFiles.map(({ text }) => inAscii(asFunction(text))).join(''))
  await rename(`${path}.next`, path)
}

/** As Node makes one of a module; done here, since at every start it would copy the whole text. */
function asFunction(text: string): string {
  return `(function(exports,require,module,__filename,__dirname){${text}\n})`
}

/** Patterns keep their letters, and one letter beyond ASCII makes V8 hold all of the text in twice the memory. */
function inAscii(text: string): string {
  return text.replaceAll(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
