/** Programs are started with a list of arguments; a text that a shell would take apart is never made. */
import { importsOf } from './imports-of.ts'
import { isSource, isTest, lineAt, type Offence, type RepoFile, type Rule } from './rule.ts'
import { isNode, literal, type Node, nameChain, nodesOf } from './syntax.ts'

const takesText = new Set(['exec', 'execSync'])
const starts = new Set(['spawn', 'spawnSync', 'execFile', 'execFileSync'])
const shell = /(^|\/)(sh|bash|dash|zsh|ash|cmd|cmd\.exe|powershell|pwsh)$/
/** What a shell takes a text after: `-c`, also among other letters (`-lc`). */
const takesScript = /^(-[a-z]*c|\/c|-command)$/i

export const noShell: Rule = {
  name: 'no shell',
  check: (files) =>
    files.filter(isSource).flatMap((file) => [
      ...(startsPrograms(file) ? offencesIn(file, refusal) : []),
      // Also one that is started by somebody else: a container has shells, too.
      ...(isProduct(file) ? offencesIn(file, scriptRefusal) : []),
    ]),
}

/** What is installed. In tests, examples and benchmarks a script is the program that is run, not a way to run one. */
function isProduct(file: RepoFile): boolean {
  return file.path.startsWith('packages/') && !isTest(file) && !file.path.includes('/testing/')
}

function startsPrograms(file: RepoFile): boolean {
  return importsOf(file).some(({ specifier }) => /^(node:)?child_process$/.test(specifier))
}

function offencesIn(file: RepoFile, refuses: (node: Node) => string | undefined): Offence[] {
  return nodesOf(file).flatMap(({ node }) => {
    const what = refuses(node)
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

/** Wherever it stands in the list: there are programs that start others (`env`, `nice`). */
function scriptRefusal({ type, elements }: Node): string | undefined {
  if (type !== 'ArrayExpression' || !Array.isArray(elements)) return undefined
  const words = elements.map((element) => literal(element) ?? '')
  const at = words.findIndex((word, index) => shell.test(word) && takesScript.test(words[index + 1] ?? ''))
  return at < 0 ? undefined : `a list of arguments hands a text to a shell (${words[at]} ${words[at + 1]})`
}

function isFalse(value: unknown): boolean {
  return isNode(value) && value.type === 'Literal' && value.value === false
}
