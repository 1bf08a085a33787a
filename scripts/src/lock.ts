/** `npm run lock`, after every `npm install` that changed the lock file: puts in what npm has left out. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { completed, type LockFile, missingFrom } from './lock-file/complete.ts'
import { repositoryRoot } from './rules/files.ts'

const file = join(repositoryRoot, 'package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8')) as LockFile
const missing = missingFrom(lock)
if (missing.length > 0) writeFileSync(file, `${JSON.stringify(completed(lock), undefined, 2)}\n`)
console.log(missing.length === 0 ? 'The lock file was whole' : `Added ${missing.map(({ name }) => name).join(', ')}`)
