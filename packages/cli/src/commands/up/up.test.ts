import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { webWorkload } from '@gantry/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliSystem, startCliSystem } from '../../testing/cli-system.ts'

describe('gantry up and down', () => {
  let cli: CliSystem
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-up-'))
    const web = webWorkload({ name: 'web', replicas: 1 })
    await writeFile(join(folder, 'gantry.yaml'), JSON.stringify(web))
    cli = await startCliSystem()
  })
  afterAll(async () => {
    await cli?.dispose()
    await rm(folder, { recursive: true })
  })

  it('shows how far it is, where it answers and what it writes; Ctrl-C leaves it running, and says so', async () => {
    const terminal = cli.inTerminal(['up'], { cwd: folder })
    await terminal.shows('Following what it writes')
    terminal.type('\u0003')
    expect(await terminal.exit).toBe(0)
    const screen = await terminal.screen()
    expect(screen).toContain('workload/web created')
    expect(screen).toContain('✔ web  v1 runs, 1 of 1 ready')
    expect(screen).toContain(`web answers at http://web.default.localhost:${cli.system.edgePort}/`)
    expect(screen).toContain('web goes on running; "gantry down" takes it away.')
    expect((await cli.gantry(['ps', 'web'])).stdout).toContain('ready')
  })

  it('follows what it writes through a pipe too', async () => {
    const noisy = webWorkload({ name: 'noisy', replicas: 1 })
    const [service] = noisy.spec.services
    const command = [service?.command[0] ?? '', '-e', `console.log('hello there');${service?.command[2]}`]
    const spec = { ...noisy.spec, services: [{ ...service, command }] }
    await writeFile(join(folder, 'noisy.json'), JSON.stringify({ ...noisy, spec }))
    const running = cli.start(['up', '-f', 'noisy.json'], { cwd: folder })
    const deadline = Date.now() + 30_000
    while (!running.stdout().includes('hello there') && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    running.end('SIGINT')
    const { code, stdout } = await running.done
    expect(code).toBe(0)
    expect(stdout).toContain('web/0 hello there\n')
  })

  it('takes away what the file says, waits until it is gone, and says what is kept', async () => {
    const { code, stdout, stderr } = await cli.gantry(['down'], { cwd: folder })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'workload/web deleting\n' })
    expect(stderr).toContain('web: gone\n')
    expect(stderr).toContain('Volumes that outlive their workload are kept.')
    expect((await cli.gantry(['get', 'workload', 'web'])).code).toBe(5)
    expect((await cli.gantry(['down'], { cwd: folder })).stdout).toBe('workload/web not there\n')
  })

  it('takes away volumes too, if told so, and waits for nothing, if told so', async () => {
    const args = ['down', '-f', 'noisy.json', '--volumes', '--no-wait']
    expect(await cli.gantry(args, { cwd: folder })).toEqual({
      code: 0,
      stdout: 'workload/noisy deleting\n',
      stderr: '',
    })
  })

  it('deletes nothing if not everything is an object', async () => {
    const stdin = 'kind: Wrkload\nmetadata: { name: x }\n'
    const { code, stderr } = await cli.gantry(['down', '-f', '-'], { stdin })
    expect(code).toBe(2)
    expect(stderr).toContain('standard input:1: kind: there is no kind "Wrkload"')
  })
})
