/**
 * The watched server in one file. A death is followed by a start, and most of a start would go into reading a thousand files:
 * of one it takes less than half of the time.
 */
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

export type BundledProgram = { readonly path: string; remove(): Promise<void> }

/** This file is run from its sources too; a program is made of what was built. */
const built = fileURLToPath(new URL('../../../dist/harness/program.js', import.meta.url))

/** Of the build as it is now: nobody else's, and gone when it is removed. */
export async function bundledProgram(): Promise<BundledProgram> {
  // Beside the other, so that what is not in it is found from here.
  const path = join(dirname(built), `program-${process.pid}.mjs`)
  await build({
    entryPoints: [built],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'error',
    // With parts that are no JavaScript, or optional.
    external: ['@photostructure/sqlite', 'pg', 'bufferutil', 'utf-8-validate'],
    plugins: [places],
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
  })
  return { path, remove: () => rm(path, { force: true }) }
}

/** Programs that are started are looked for beside the file that starts them. */
const places: Plugin = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\/dist\/.*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      if (!text.includes('import.meta.url')) return undefined
      return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), loader: 'js' }
    })
  },
}
