/** Programs are started with a list of arguments; a text that a shell would take apart is never made. */
import { importsOf } from './imports-of.ts'
import { isSource, lineAt, type Offence, type RepoFile, type Rule } from './rule.ts'
import { isNode, literal, type Node, nameChain, nodesOf } from './syntax.ts'

const takesText = new Set(['exec', 'execSync'])
const starts = new Set(['spawn', 'spawnSync', 'execFile', 'execFileSync'])
const shell = /(^|\/)(sh|bash|dash|zsh|ash|cmd|cmd\.exe|powershell|pwsh)$/

export const noShell: Rule = {
  name: 'no shell',
  check: (files) => files.filter(isSource).flatMap((file) => (startsPrograms(file) ? checkFile(file) : [])),
}

function startsPrograms(file: RepoFile): boolean {
  return importsOf(file).some(({ specifier }) => /^(node:)?child_process$/.test(specifier))
}

function checkFile(file: RepoFile): Offence[] {
  return [...nodesOf(file)].flatMap(({ node }) => {
    const what = refusal(node)
    return what ? [{ path: file.path, line: lineAt(file.text, node.start), what }] : []
  })
}

function refusal(node: Node): string | undefined {
  if (node.type === 'ImportSpecifier' && isNode(node.imported) && takesText.has(String(node.imported.name))) {
    return `${node.imported.name} hands a text to a shell: use spawn with a list of arguments`
  }
  if (node.type === 'Property' && isNode(node.key) && node.key.name === 'shell' && !isFalse(node.value)) {
    return 'the option `shell` hands the arguments to a shell'
  }
  if (node.type !== 'CallExpression' || !Array.isArray(node.arguments)) return undefined
  const called = nameChain(node.callee).at(-1) ?? ''
  const program = literal(node.arguments[0])
  return starts.has(called) && program && shell.test(program) ? `${called} starts a shell (${program})` : undefined
}

function isFalse(value: unknown): boolean {
  return isNode(value) && value.type === 'Literal' && value.value === false
}
