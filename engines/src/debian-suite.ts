/** Packages of another suite than the machine's own, from the same mirror: apt's lists of it are ours alone. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Call, Fault } from '@gantry/core'
import { aptGet } from './apt.ts'

export type Newer = { readonly suite: string; readonly packages: readonly string[] }

/** Which keys sign what Debian offers: its package debian-archive-keyring has them on every Debian. */
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'

/** Into `folder`. The system's own lists, sources and cache of apt are neither read nor written. */
export async function downloadFromSuite({ suite, packages }: Newer, folder: string, call: Call): Promise<void> {
  const own = join(folder, `apt-${suite}`)
  await mkdir(join(own, 'lists', 'partial'), { recursive: true })
  await mkdir(join(own, 'archives', 'partial'), { recursive: true })
  // Nothing is installed as far as this apt knows.
  await writeFile(join(own, 'status'), '')
  const sources = join(own, 'suite.sources')
  await writeFile(sources, sourcesOf(await mirror(folder, call), suite))
  const settings = Object.entries({
    'Dir::State': own,
    'Dir::State::status': join(own, 'status'),
    'Dir::Cache': own,
    'Dir::Etc::sourcelist': sources,
    'Dir::Etc::sourceparts': '-',
    'Acquire::Languages': 'none',
    // Descriptions and icons for those who browse packages: as large as the list itself.
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  await aptGet([...settings, 'update'], folder, call)
  await aptGet([...settings, 'download', ...packages], folder, call)
  await rm(own, { recursive: true })
}

/** Where the machine's own packages of Debian come from. */
async function mirror(cwd: string, call: Call): Promise<string> {
  const format = ['--format', '$(ORIGIN) $(LABEL) $(REPO_URI)', 'Identifier: Packages']
  const found = mirrorIn(await aptGet(['indextargets', ...format], cwd, call))
  if (found !== undefined) return found
  const message = "It comes from a newer suite of Debian, and apt's sources here name no mirror of Debian"
  throw new Fault('engine_unreachable', message)
}

/** From lines of origin, label and address; the mirror of security fixes has another label. */
export function mirrorIn(targets: string): string | undefined {
  return /^Debian Debian (\S+)$/m.exec(targets)?.[1]
}

export function sourcesOf(mirror: string, suite: string): string {
  return `Types: deb
URIs: ${mirror}
Suites: ${suite}
Components: main
Signed-By: ${keyring}
`
}
