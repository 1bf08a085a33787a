import { describe, expect, it } from 'vitest'
import { documentRule } from './documents.ts'
import { file, manifest, saysOf } from './sample.ts'

const block = (info: string, text: string): string => `\`\`\`${info}\n${text}\n\`\`\`\n`
const rule = documentRule({
  'npm ci && npm test': { by: '.ci/run' },
  'npm start': { run: ['npm', 'start'], code: 0, prints: /./ },
})
const around = [
  file('.ci/run', 'export X=1\nnpm ci && npm test\n'),
  file('examples/hello.yaml', 'kind: Workload\nname: hello\n'),
  file('packages/core/src/fault.ts', ''),
  manifest('package.json', { scripts: { check: 'x' } }),
]
const says = (text: string): string[] => saysOf(rule, file('README.md', text), ...around)

describe('the rule about pages', () => {
  it.each([
    [block('sh', 'npm run magic'), 'is run by no test'],
    [block('yaml', 'kind: Workload'), 'shows no file'],
    [block('yaml examples/hello.yaml', 'kind: Workload\nname: other'), 'is not what examples/hello.yaml says'],
    ['see `packages/core/src/gone.ts`', 'there is no packages/core/src/gone.ts'],
    ['run `npm run magic` now', 'there is no npm script magic'],
  ])('refuses %j', (text, why) => {
    expect(says(text)).toEqual([expect.stringContaining(why)])
  })

  it('refuses a command that the file which should run it does not have', () => {
    const page = file('README.md', block('sh', 'npm ci && npm test'))
    expect(saysOf(rule, page, file('.ci/run', 'npm test'))).toEqual(['.ci/run does not run `npm ci && npm test`'])
  })

  it.each([
    block('sh', '# the tests\nnpm ci && npm test\n\nnpm start   # the demonstration'),
    block('yaml examples/hello.yaml', 'kind: Workload'),
    block('', 'anything'),
    'see `packages/core/` and `packages/core/src/fault.ts`, run `npm run check`, or `npm run -s check -- x`',
  ])('accepts %j', (text) => {
    expect(says(text)).toEqual([])
  })

  it('lets decisions speak of what is gone', () => {
    expect(saysOf(rule, file('docs/decisions/001-x.md', '`packages/gone`'), ...around)).toEqual([])
  })
})
