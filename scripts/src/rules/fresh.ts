/** Generated files say what their sources say now. */
import { type Generated, generated } from '../generated/table.ts'
import type { Rule } from './rule.ts'

export const freshGenerated = freshRule(generated)

export function freshRule(table: readonly Generated[]): Rule {
  return {
    name: 'generated files fresh',
    check: (files) =>
      table.flatMap(({ path, generate }) => {
        const found = files.find((file) => file.path === path)
        if (found?.text === generate()) return []
        return [{ path, line: 1, what: `is ${found ? 'out of date' : 'missing'}: run npm run generate` }]
      }),
  }
}
