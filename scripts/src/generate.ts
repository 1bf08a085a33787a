/** `npm run generate`: rewrites every generated file. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generated } from './generated/table.ts'
import { repositoryRoot } from './rules/files.ts'

for (const { path, generate } of generated) {
  const file = join(repositoryRoot, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, generate())
  console.log(path)
}
