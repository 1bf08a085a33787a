import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { webWorkload } from '@gantry/server/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type CliSystem, startCliSystem } from '../../testing/cli-system.ts'
import { type ShellName, shellProgram } from '../../testing/shells.ts'
import type { InTerminal } from '../../testing/terminal.ts'

const ours = fileURLToPath(new URL('../../../bin/gantry.cjs', import.meta.url))

/** How each is started without anything of the person who runs the tests, and told about gantry. */
const shells = {
  bash: { args: ['--norc', '--noprofile', '-i'], setup: 'source <(gantry completion bash)' },
  zsh: { args: ['-f', '-i'], setup: 'autoload -U compinit && compinit -u -D && source <(gantry completion zsh)' },
  fish: { args: ['--no-config', '-i'], setup: 'gantry completion fish | source' },
} as const satisfies Record<ShellName, { args: readonly string[]; setup: string }>

/** What is written before the key Tab, and what is there after it. */
const lines: readonly (readonly [string, string])[] = [
  ['gantry desc', 'gantry describe'],
  ['gantry rollout pa', 'gantry rollout pause'],
  ['gantry get work', 'gantry get workloads'],
  ['gantry get workloads,rou', 'gantry get workloads,routes'],
  ['gantry get workloads web-a', 'gantry get workloads web-apple'],
  ['gantry describe workload/web-b', 'gantry describe workload/web-banana'],
  ['gantry -n acme get wl on', 'gantry -n acme get wl only-acme'],
  ['gantry get wl --tenant=ac', 'gantry get wl --tenant=acme'],
  ['gantry get wl --outp', 'gantry get wl --output'],
  ['gantry get wl -o js', 'gantry get wl -o json'],
  ['gantry get wl --output=ya', 'gantry get wl --output=yaml'],
  ['gantry wait wl/web-apple --for=del', 'gantry wait wl/web-apple --for=delete'],
  ['gantry --context lo', 'gantry --context local'],
  ['gantry completion fi', 'gantry completion fish'],
  ['gantry delete -f some-f', 'gantry delete -f some-file.yaml'],
]

describe('completion in real shells', () => {
  let cli: CliSystem
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-shells-'))
    await symlink(ours, join(folder, 'gantry'))
    await writeFile(join(folder, 'some-file.yaml'), '')
    cli = await startCliSystem()
    const { tenants, tenant } = cli.system.client
    await tenants.put({ apiVersion: 'gantry/v1', kind: 'Tenant', metadata: { name: 'acme' }, spec: {} })
    for (const name of ['web-apple', 'web-banana']) {
      await tenant('default').workloads.put(webWorkload({ name, replicas: 0 }))
    }
    await tenant('acme').workloads.put(webWorkload({ name: 'only-acme', replicas: 0 }))
  })
  afterAll(async () => {
    await cli?.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  async function opened(name: ShellName): Promise<InTerminal | string> {
    const shell = await shellProgram(name)
    if ('missing' in shell) return shell.missing
    const { args, setup } = shells[name]
    const terminal = cli.inTerminal([], {
      program: { file: shell.program, args },
      cwd: folder,
      columns: 100,
      env: {
        PATH: `${folder}:${process.env.PATH}`,
        HOME: folder,
        XDG_CONFIG_HOME: folder,
        XDG_DATA_HOME: folder,
        PS1: '> ',
        HISTFILE: '',
      },
    })
    // As a sum, so that what was written is not taken for what came of it.
    terminal.type(`${setup}; echo told-${name === 'fish' ? '(math 1+1)' : '$((1+1))'}\r`)
    await terminal.shows('told-2', 60_000)
    return terminal
  }

  /** Asked again where nobody answered in time: who completes gives up early, and a machine may be busy. */
  async function completes(terminal: InTerminal, written: string, completed: string, tries = 5): Promise<void> {
    // The letter behind shows that the word was taken, and not only proposed: a whole word is followed by a blank.
    terminal.type(`${written}\tX`)
    try {
      await terminal.shows(`${completed} X`, 8000)
    } catch (error) {
      if (tries === 0) throw error
      terminal.type('\u0015')
      return completes(terminal, written, completed, tries - 1)
    }
    terminal.type('\u0015')
  }

  it.for(Object.keys(shells) as ShellName[])(
    '%s completes commands, kinds, names, flags and files',
    async (name, { skip }) => {
      const terminal = await opened(name)
      if (typeof terminal === 'string') return skip(terminal)
      try {
        for (const [written, completed] of lines) await completes(terminal, written, completed)
      } finally {
        terminal.kill()
        await terminal.exit
      }
    },
  )
})
