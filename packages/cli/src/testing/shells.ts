/** Real shells for tests: those of this machine, else Debian's packages, if the tests may install them. */
import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type ShellName = 'bash' | 'zsh' | 'fish'

/** Two test files must not ask for the same at once: whoever comes second waits for the first. */
const lock = ['-o', 'DPkg::Lock::Timeout=300']

/** Where it is, or why there is none. With GANTRY_ENGINES=required that is a failure, as of any engine. */
export async function shellProgram(
  name: ShellName,
): Promise<{ readonly program: string } | { readonly missing: string }> {
  const found = (await onPath(name)) ?? (await installed(name))
  if (typeof found === 'string') return { program: found }
  if (process.env.GANTRY_ENGINES === 'required') throw new Error(`The shell ${name} is required here: ${found.missing}`)
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

async function installed(name: ShellName): Promise<string | { readonly missing: string }> {
  if (process.getuid?.() !== 0) return { missing: `${name} is not installed, and only root can install it` }
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get', [...lock, 'install', '-y', '--no-install-recommends', name], { env })
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return {
      missing: isAbsent ? 'there is no apt here to get it with' : `it could not be had from apt: ${String(error)}`,
    }
  }
  return (await onPath(name)) ?? { missing: `apt has installed ${name}, and it is nowhere in $PATH` }
}
