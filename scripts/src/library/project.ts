/** An empty project of somebody else, outside of the repository, with our packages as npm would bring them. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryRoot } from '../rules/files.ts'

const run = promisify(execFile)
const withinMs = 170_000

type Manifest = {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(repositoryRoot, folder, 'package.json'), 'utf8')) as Manifest
}

/** The packages of ours that one of them needs, itself among them, by their folders. */
async function neededBy(room: string): Promise<Set<string>> {
  const found = new Set<string>()
  const waiting = [room]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const folder = `packages/${next}`
    if (found.has(folder)) continue
    found.add(folder)
    const { dependencies = {} } = await manifestOf(folder)
    waiting.push(...Object.keys(dependencies).flatMap((name) => /^@gantry\/(.+)$/.exec(name)?.[1] ?? []))
  }
  return found
}

/** Packed from what was built, and installed. Resolves with the folder of the project. */
export async function projectWith(room: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-library-'))
  const tarballs = join(folder, 'tarballs')
  await mkdir(tarballs)
  const rooms = [...(await neededBy(room))].flatMap((one) => ['--workspace', one])
  const pack = ['pack', ...rooms, '--pack-destination', tarballs, '--json', '--ignore-scripts']
  const packed = await run('npm', pack, { cwd: repositoryRoot, timeout: withinMs })
  const files = (JSON.parse(packed.stdout) as { filename: string }[]).map(({ filename }) => join(tarballs, filename))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'somebody', private: true, type: 'module' }))
  const types = (await manifestOf('.')).devDependencies?.['@types/node']
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', ...files, `@types/node@${types}`]
  await run('npm', install, { cwd: folder, timeout: withinMs })
  return folder
}

const compiler = join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc')

/** As strict as it gets, libraries included; what does not fit is in the error. */
export async function compile(folder: string, file: string): Promise<void> {
  const options = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false']
  const target = ['--target', 'es2023', '--lib', 'es2023', '--module', 'nodenext', '--types', 'node']
  try {
    await run(process.execPath, [compiler, ...options, ...target, file], { cwd: folder, timeout: withinMs })
  } catch (error) {
    throw new Error(`it does not compile: ${String((error as { stdout?: string }).stdout)}`, { cause: error })
  }
}

export async function runIn(folder: string, file: string): Promise<string> {
  const { stdout } = await run(process.execPath, [file], { cwd: folder, timeout: withinMs })
  return stdout
}
