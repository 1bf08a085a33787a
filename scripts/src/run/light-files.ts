/**
 * Which test files may run one after the other in one process. A process of its own costs each of them a second or two, most of it
 * for reading the same sources again; half of the files are done in a tenth of that. Whoever starts something, or changes what
 * belongs to the whole process, stays by itself: it is read from what the file and its helpers say.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Programs, sockets and engines; signals, variables and folders of the process; what replaces modules or globals. */
const heavy =
  /'node:(child_process|cluster|dgram|http|http2|https|net|tls|worker_threads)'|'@gantry\/engines'|process\.(env\.\w+ =|env\[|on\(|once\(|kill|chdir|umask)|vi\.(mock|stubEnv|stubGlobal|useFakeTimers)\b|globalThis\.\w+ =/

const relativeImport = /from '(\.[^']+)'/g

/** Only these are looked into: what a product does when it is used is for the test to say, by what it uses of them. */
const isHelper = (path: string): boolean => /\/(testing|fixtures|contract)\//.test(path) || path.endsWith('.test.ts')

/** `read` answers with the text of a file, or nothing where there is none. */
export function isLight(
  file: string,
  read: (path: string) => string | undefined,
  seen = new Map<string, boolean>(),
): boolean {
  const known = seen.get(file)
  if (known !== undefined) return known
  // Two that name each other are as light as the rest of what they name.
  seen.set(file, true)
  const text = read(file) ?? ''
  const helpers = [...text.matchAll(relativeImport)]
    .map(([, path = '']) => normalize(join(dirname(file), path)))
    .filter(isHelper)
  const is = !heavy.test(text) && helpers.every((helper) => isLight(helper, read, seen))
  seen.set(file, is)
  return is
}

/** Of all test files below these folders; paths are relative to the root. */
export function lightFiles(root: string, folders: readonly string[]): string[] {
  const seen = new Map<string, boolean>()
  return testFiles(root, folders).filter((file) => isLight(file, (path) => textOf(join(root, path)), seen))
}

function testFiles(root: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name}`)
      .toSorted(),
  )
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
