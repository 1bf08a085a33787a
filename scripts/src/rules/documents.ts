/** What the pages show is true: commands are run by a test, files are there, examples are the files they claim to be. */
import { blocksOf, commandsOf, wordsOf } from '../documents/blocks.ts'
import { documentedProofs, type Proof } from '../documents/commands.ts'
import { roomOf } from './rooms.ts'
import type { Offence, RepoFile, Rule } from './rule.ts'

/** Decisions record what was thought at the time, also of what is gone. */
const page = /^(README|CONTRIBUTING)\.md$|^docs\/(?!decisions\/).*\.md$/
const commandLanguages = new Set(['sh', 'bash', 'shell', 'console'])
const fileLanguages = new Set(['yaml', 'json', 'ts', 'js'])

export const documentedCommands = documentRule(documentedProofs)

export function documentRule(proofs: Readonly<Record<string, Proof>>): Rule {
  return {
    name: 'what pages show',
    check(files) {
      const pages = files.filter(({ path }) => page.test(path))
      return pages.flatMap((file) => [...checkBlocks(file, files, proofs), ...checkWords(file, files)])
    },
  }
}

function checkBlocks(file: RepoFile, files: readonly RepoFile[], proofs: Readonly<Record<string, Proof>>): Offence[] {
  return blocksOf(file).flatMap((block) => {
    if (commandLanguages.has(block.language)) {
      return commandsOf(block).flatMap(({ text, line }) => {
        const what = unproven(text, files, proofs)
        return what ? [{ path: file.path, line, what }] : []
      })
    }
    // What is only text may be a file as well, and is then held to it.
    if (!fileLanguages.has(block.language) && block.shows === '') return []
    const shown = files.find(({ path }) => path === block.shows)
    if (shown?.text.includes(block.text)) return []
    const what = shown ? `is not what ${block.shows} says` : 'shows no file: name it behind the language of the block'
    return [{ path: file.path, line: block.line, what }]
  })
}

function unproven(
  command: string,
  files: readonly RepoFile[],
  proofs: Readonly<Record<string, Proof>>,
): string | undefined {
  const proof = Object.hasOwn(proofs, command) ? proofs[command] : undefined
  if (!proof) return `\`${command}\` is run by no test: add it to scripts/src/documents/commands.ts`
  if ('run' in proof) return undefined
  const runner = files.find(({ path }) => path === proof.by)
  return runner?.text.split('\n').includes(command) ? undefined : `${proof.by} does not run \`${command}\``
}

function checkWords(file: RepoFile, files: readonly RepoFile[]): Offence[] {
  const manifest = files.find(({ path }) => path === 'package.json')
  const { scripts } = JSON.parse(manifest?.text ?? '{}') as { scripts?: Record<string, string> }
  return wordsOf(file).flatMap(({ text, line }) => {
    const script = /^npm run (?:-s )?([\w:-]+)/.exec(text)?.[1]
    if (script && !scripts?.[script]) return [{ path: file.path, line, what: `there is no npm script ${script}` }]
    const path = text.replace(/\/$/, '')
    const isPath = /^[\w@./-]+$/.test(path) && (roomOf(`${path}/`) !== undefined || path.startsWith('docs/'))
    const isThere = files.some((one) => one.path === path || one.path.startsWith(`${path}/`))
    return isPath && !isThere ? [{ path: file.path, line, what: `there is no ${path}` }] : []
  })
}
