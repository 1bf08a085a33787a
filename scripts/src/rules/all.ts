/** Every rule there is: `npm run check` and `npm test` hold the repository to each. */
import { browserGlobals } from './browser.ts'
import { fileBudget } from './budget.ts'
import { declaredDependencies } from './dependencies.ts'
import { documentedCommands } from './documents.ts'
import { namedExports } from './exports.ts'
import { freshGenerated } from './fresh.ts'
import { roomImports } from './imports.ts'
import { noPlaces } from './places.ts'
import { buildReferences } from './references.ts'
import type { Rule } from './rule.ts'
import { noShell } from './shell.ts'
import { testTitles } from './titles.ts'
import { honestTypes } from './types.ts'
import { cleanLockFile, oneVersion, wholeLockFile } from './versions.ts'

export const rules: readonly Rule[] = [
  roomImports,
  browserGlobals,
  noShell,
  honestTypes,
  namedExports,
  fileBudget,
  freshGenerated,
  declaredDependencies,
  buildReferences,
  noPlaces,
  oneVersion,
  cleanLockFile,
  wholeLockFile,
  testTitles,
  documentedCommands,
]
