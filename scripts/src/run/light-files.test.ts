import { describe, expect, it } from 'vitest'
import { isLight, lightFiles } from './light-files.ts'

const light = (files: Readonly<Record<string, string>>, file = 'a/one.test.ts'): boolean =>
  isLight(file, (path) => files[path])

describe('a test file that may share a process', () => {
  it.each([
    ['says nothing of the sort', "import { sum } from './sum.ts'", true],
    ['starts programs', "import { spawn } from 'node:child_process'", false],
    ['opens sockets', "import { createServer } from 'node:http'", false],
    ['uses an engine', "import { engine } from '@gantry/engines'", false],
    ['sets a variable', "process.env.HOME = '/nowhere'", false],
    ['only reads one', 'const home = process.env.HOME', true],
    ['listens to signals', "process.once('SIGTERM', end)", false],
    ['replaces a module', "vi.mock('./sum.ts')", false],
  ])('one that %s', (_, text, is) => {
    expect(light({ 'a/one.test.ts': text })).toBe(is)
  })

  it('is as heavy as the helpers that it has, and those that they have', () => {
    const files = {
      'a/one.test.ts': "import { rig } from './testing/rig.ts'",
      'a/testing/rig.ts': "import { start } from '../../b/testing/start.ts'",
      'b/testing/start.ts': "import { spawn } from 'node:child_process'",
    }
    expect(light(files)).toBe(false)
    expect(light({ ...files, 'b/testing/start.ts': '' })).toBe(true)
  })

  it('is not heavy for what the product itself can do', () => {
    const files = { 'a/one.test.ts': "import { plan } from './plan.ts'", 'a/plan.ts': "import 'node:net'" }
    expect(light(files)).toBe(true)
  })

  it('is found even where two helpers name each other', () => {
    const files = {
      'a/one.test.ts': "import './testing/two.ts'",
      'a/testing/two.ts': "import { three } from './three.ts'",
      'a/testing/three.ts': "import { two } from './two.ts'",
    }
    expect(light(files)).toBe(true)
  })

  it('is one of many here, and none of those that are known to start something', () => {
    const found = lightFiles(process.cwd(), ['packages/server/src', 'scripts/src'])
    expect(found).toContain('scripts/src/run/longest-first.test.ts')
    expect(found).toContain('packages/server/src/rollout/next-step.beside.test.ts')
    expect(found).not.toContain('packages/server/src/whole/zero-failed.kubernetes.test.ts')
    expect(found).not.toContain('scripts/src/run/run.test.ts')
  })
})
