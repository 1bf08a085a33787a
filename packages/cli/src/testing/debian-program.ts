/** Real programs for tests: those of this machine, else Debian's packages, if the tests may install them. */
import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Two test files must not ask for the same at once: whoever comes second waits for the first. */
const lock = ['-o', 'DPkg::Lock::Timeout=300']

export type Found = { readonly program: string } | { readonly missing: string }

/** Where it is, or why there is none. With GANTRY_ENGINES=required that is a failure, as of any engine. */
export async function debianProgram(name: string, packageName = name): Promise<Found> {
  const found = (await onPath(name)) ?? (await installed(name, packageName))
  if (typeof found === 'string') return { program: found }
  if (process.env.GANTRY_ENGINES === 'required')
    throw new Error(`The program ${name} is required here: ${found.missing}`)
  return found
}

async function onPath(name: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, name)
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file
  }
  return undefined
}

async function installed(name: string, packageName: string): Promise<string | { readonly missing: string }> {
  if (process.getuid?.() !== 0) return { missing: `${name} is not installed, and only root can install it` }
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get', [...lock, 'install', '-y', '--no-install-recommends', packageName], { env })
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return {
      missing: isAbsent ? 'there is no apt here to get it with' : `it could not be had from apt: ${String(error)}`,
    }
  }
  return (await onPath(name)) ?? { missing: `apt has installed ${packageName}, and ${name} is nowhere in $PATH` }
}
