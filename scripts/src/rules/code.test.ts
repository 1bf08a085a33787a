import { describe, expect, it } from 'vitest'
import { browserGlobals } from './browser.ts'
import { namedExports } from './exports.ts'
import type { Rule } from './rule.ts'
import { file, saysOf } from './sample.ts'
import { noShell } from './shell.ts'
import { honestTypes } from './types.ts'

type Row = [Rule, string, string]
const childProcess = "import { spawn, execFile } from 'node:child_process'\n"

const refused: Row[] = [
  [browserGlobals, "Buffer.from('x')", 'Buffer is not there'],
  [browserGlobals, 'const e = { process }', 'process is not there'],
  [browserGlobals, 'const home = process.env.HOME', 'process is not there'],
  [noShell, "import { exec } from 'node:child_process'", 'exec hands a text to a shell'],
  [noShell, "import { execSync as run } from 'child_process'", 'execSync hands a text to a shell'],
  [noShell, `${childProcess}spawn('ls', [], { shell: true })`, 'the option `shell`'],
  [noShell, `${childProcess}spawn('ls', [], { shell: given })`, 'the option `shell`'],
  [noShell, `${childProcess}spawn('sh', ['-c', text])`, 'spawn starts a shell (sh)'],
  [noShell, `${childProcess}execFile('/bin/bash', ['-c', text])`, 'execFile starts a shell (/bin/bash)'],
  [noShell, "const argv = ['sh', '-c', script]", 'hands a text to a shell (sh -c)'],
  [noShell, "api.create({ Cmd: ['sh', '-c', script, 'sh', mark] })", 'hands a text to a shell (sh -c)'],
  [noShell, "const argv = ['env', '-i', '/bin/bash', '-lc', text]", 'hands a text to a shell (/bin/bash -lc)'],
  [noShell, 'const argv = [`sh`, `-c`, ...rest]', 'hands a text to a shell (sh -c)'],
  [honestTypes, 'let x: any', '`any` turns the compiler off'],
  [honestTypes, 'const f = (x: Map<string, any>) => x', '`any` turns the compiler off'],
  [honestTypes, 'const y = x!.z', '`!` asserts'],
  [honestTypes, `// @ts-${'ignore'}\nlet x = 1`, 'silences the compiler'],
  [honestTypes, `// @ts-${'expect-error'} later\nlet x = 1`, 'silences the compiler'],
  [honestTypes, `// biome-${'ignore'} lint/style\nlet x = 1`, 'without a reason'],
  [namedExports, 'export default 1', 'a default export'],
  [namedExports, "export * from './b.ts'", '`export *`'],
  [namedExports, "export * as b from './b.ts'", '`export *`'],
]

const accepted: [Rule, string][] = [
  [browserGlobals, 'const step = { process: 1 }; step.process'],
  [browserGlobals, '// Buffer and process are for Node'],
  [noShell, `${childProcess}spawn('ls', ['-l'], { shell: false })`],
  [noShell, "const exec = (argv: string[]) => argv; exec(['taskset', '-c', '3'])"],
  [noShell, "const argv = ['sh']; const [, flag] = ['-c', 'sh']"],
  [honestTypes, "const any = 'any'; // as any other"],
  [honestTypes, `// biome-${'ignore'} lint/style: the other side wants it so\nlet x = 1`],
  [namedExports, "export { a, type B } from './b.ts'"],
]

describe('the rules about code', () => {
  it.each(refused.map(([rule, text, why]) => [rule.name, text, why, rule] as const))('"%s" refuses %j', (...row) => {
    const [, text, why, rule] = row
    expect(saysOf(rule, file('packages/core/src/a.ts', text))).toEqual([expect.stringContaining(why)])
  })

  it.each(accepted.map(([rule, text]) => [rule.name, text, rule] as const))('"%s" accepts %j', (_, text, rule) => {
    expect(saysOf(rule, file('packages/core/src/a.ts', text))).toEqual([])
  })

  it('leave tools their default export, and tests their globals of Node', () => {
    expect(saysOf(namedExports, file('vitest.config.ts', 'export default {}'))).toEqual([])
    expect(saysOf(browserGlobals, file('packages/core/src/a.test.ts', 'process.exit()'))).toEqual([])
    expect(saysOf(browserGlobals, file('packages/store/src/a.ts', 'process.exit()'))).toEqual([])
  })

  it('leave a script to what is a program of its own: of a test, an example, a benchmark', () => {
    const script = "const argv = ['sh', '-c', 'exit 3']"
    const paths = ['packages/a/src/a.test.ts', 'packages/a/src/b/testing/c.ts', 'bench/src/a.ts', 'examples/a/b.ts']
    for (const path of paths) expect(saysOf(noShell, file(path, script))).toEqual([])
  })

  it('tell the line', () => {
    const offences = honestTypes.check([file('packages/core/src/a.ts', 'let a = 1\n\nlet b: any\n')])
    expect(offences.map(({ line }) => line)).toEqual([3])
  })
})
