/** What a file gives to others has one name, the same everywhere, and is listed. */
import { isSource, lineAt, type Offence, type RepoFile, type Rule } from './rule.ts'
import { nodesOf } from './syntax.ts'

const refused: Readonly<Record<string, string>> = {
  ExportDefaultDeclaration: 'a default export has another name in every file that imports it',
  ExportAllDeclaration: '`export *` hides what is exported: list the names',
}

export const namedExports: Rule = {
  name: 'named exports',
  check: (files) => files.filter((file) => isSource(file) && !isConfig(file)).flatMap(checkFile),
}

/** Tools ask for a default export of their configuration. */
function isConfig({ path }: RepoFile): boolean {
  return path.endsWith('.config.ts')
}

function checkFile(file: RepoFile): Offence[] {
  return nodesOf(file).flatMap(({ node }) => {
    const what = refused[node.type]
    return what ? [{ path: file.path, line: lineAt(file.text, node.start), what }] : []
  })
}
