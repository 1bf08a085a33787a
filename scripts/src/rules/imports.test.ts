import { describe, expect, it } from 'vitest'
import { roomImports } from './imports.ts'
import { file, saysOf } from './sample.ts'

describe('the rule of what a room may import', () => {
  it.each([
    ['packages/core/src/a.ts', "import { x } from '@gantry/store'", 'packages/core may not import @gantry/store'],
    ['packages/core/src/a.ts', "import { readFile } from 'node:fs'", 'node:fs is not there in a browser'],
    ['packages/core/src/a.ts', "export type { X } from '@gantry/reconcile'", 'may not import @gantry/reconcile'],
    ['packages/store/src/a.ts', "const x = await import('@gantry/providers')", 'may not import @gantry/providers'],
    ['packages/store/src/a.ts', "let x: import('@gantry/providers').X", 'may not import @gantry/providers'],
    ['packages/store/src/deep/a.ts', "import { x } from '../../../core/src/x.ts'", 'leads out of packages/store'],
    ['packages/store/src/a.ts', "import { engine } from '@gantry/engines'", 'may not import @gantry/engines'],
    ['packages/store/src/a.ts', "import { x } from '@gantry/store'", 'imports itself by its name'],
    ['packages/store/src/a.test.ts', "import { x } from '@gantry/providers'", 'may not import @gantry/providers'],
    ['engines/src/a.ts', "import { x } from '@gantry/store'", 'engines may not import @gantry/store'],
    ['packages/attic/src/a.ts', '', 'packages/attic has no line in the table of rooms'],
  ])('refuses in %s: %s', (path, text, why) => {
    expect(saysOf(roomImports, file(path, text))).toEqual([expect.stringContaining(why)])
  })

  it.each([
    ['packages/store/src/a.ts', "import { x } from '@gantry/core'; import { y } from './b/c.ts'"],
    ['packages/store/src/a.ts', "// import { x } from '@gantry/providers'\nconst text = \"import '@gantry/cli'\""],
    ['packages/store/src/a.test.ts', "import { engine } from '@gantry/engines'"],
    ['packages/store/src/testing/a.ts', "import { x } from '@gantry/core/testing'"],
    ['packages/core/src/a.test.ts', "import { readFile } from 'node:fs'"],
    ['docs/sample.ts', "import { x } from '@gantry/store'"],
  ])('accepts in %s: %s', (path, text) => {
    expect(saysOf(roomImports, file(path, text))).toEqual([])
  })
})
