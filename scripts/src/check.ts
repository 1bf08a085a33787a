/** The end of `npm run check`: the rules of this repository. */
import { rules } from './rules/all.ts'
import { repositoryFiles } from './rules/files.ts'
import { inWords } from './rules/rule.ts'

const files = repositoryFiles()
const offences = rules.flatMap((rule) => rule.check(files).map((offence) => inWords(rule, offence)))
for (const offence of offences) console.error(offence)
console.log(`${rules.length} rules over ${files.length} files: ${offences.length} offences`)
process.exitCode = offences.length === 0 ? 0 : 1
