/** The page about Docker, run as a reader would: on a real engine, by the commands that it shows. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { engine, type PrivateEngine, startPrivate } from '@gantry/engines'
import { loadNodeImage, nodeImage, until } from '@gantry/server/testing'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { type CliSystem, startCliSystem } from '../testing/cli-system.ts'

/** As the page has them, one on a line; they are run with ports and an engine of the test's own. */
const shown = `
npx gantry provider add docker
docker build -t hello-docker examples/docker
npx gantry up -f examples/docker/gantry.yaml
curl http://hello-docker.default.localhost:7480/
npx gantry logs hello-docker --tail 5
npx gantry exec hello-docker -- node --version
npx gantry top hello-docker
npx gantry deploy hello-docker --env GREETING=welcome --wait
docker build -t hello-docker --build-arg BUILT=again examples/docker
npx gantry deploy hello-docker --wait
npx gantry rollback hello-docker --wait
npx gantry delete workload hello-docker --wait
npx gantry provider rm docker
`
const lines = shown.trim().split('\n')
const repository = fileURLToPath(new URL('../../../../', import.meta.url))
const call = { signal: AbortSignal.timeout(15 * 60_000) }
const run = promisify(execFile)

let cli: CliSystem
let docker: PrivateEngine<'docker'>
let missing: string | undefined

beforeAll(async () => {
  missing = await whyNot()
  if (missing !== undefined) return
  docker = await startPrivate('docker', call)
  await loadNodeImage(docker.address, call)
  // What the Dockerfile begins with: nothing is pulled here.
  await program('docker', ['tag', nodeImage, 'node:22-alpine'])
  cli = await startCliSystem()
}, 600_000)

afterAll(async () => {
  await cli?.dispose()
  await docker?.stop(call)
}, 600_000)

async function whyNot(): Promise<string | undefined> {
  const found = await engine('docker', call)
  if (found.state === 'missing') return found.why
  found.release()
  return await run('docker', ['--version']).then(
    () => undefined,
    () => 'there is no docker program on this machine, which the page builds an image with',
  )
}

const env = () => ({ DOCKER_HOST: `unix://${docker.address.socket}`, DOCKER_BUILDKIT: '0' })

async function program(file: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run(file, [...args], { cwd: repository, env: { ...process.env, ...env() }, ...call })
  return stdout
}

/** The one line that begins so. */
function line(start: string): string[] {
  const [found = '', ...more] = lines.filter((one) => one.startsWith(start))
  expect(more, start).toEqual([])
  return found.split(' ')
}

async function gantry(start: string, ...more: readonly string[]): Promise<string> {
  const [, , ...args] = line(`npx gantry ${start}`)
  const { code, stdout, stderr } = await cli.gantry([...args, ...more], { cwd: repository, env: env() })
  expect([code, stderr], args.join(' ')).toEqual([0, expect.anything()])
  return stdout
}

async function curl(): Promise<string> {
  const [file = '', address = ''] = line('curl')
  return await program(file, ['-fsS', address.replace('7480', String(cli.system.edgePort))])
}

const lists = { ps: ['ps', '-a'], network: ['network', 'ls'], volume: ['volume', 'ls'] } as const

/** What Docker itself says is there of ours. */
async function ours(...kinds: readonly (keyof typeof lists)[]): Promise<string[]> {
  const asked = kinds.length === 0 ? (['ps', 'network', 'volume'] as const) : kinds
  const mark = ['-q', '--filter', 'label=gantry.dev/installation']
  const texts = await Promise.all(asked.map((kind) => program('docker', [...lists[kind], ...mark])))
  return texts.flatMap((text) => text.split('\n').filter(Boolean))
}

const here = ({ skip }: Pick<TestContext, 'skip'>): void => void (missing !== undefined && skip(missing))

describe('the page about Docker', { timeout: 300_000 }, () => {
  it('shows what is run here, in this order', async () => {
    const page = await readFile(`${repository}/docs/providers/docker.md`, 'utf8')
    const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, text = '']) => text.trim().split('\n'))
    expect(blocks).toEqual(lines)
  })

  it('adds the engine, builds an image, and runs a workload of it that answers', async (context) => {
    here(context)
    expect(await gantry('provider add', '--subnets', docker.address.subnets)).toMatch(
      /^provider\/docker created: Docker \S+ at unix:/,
    )
    const [file = '', ...args] = line('docker build -t hello-docker examples')
    await program(file, args)
    const [, , ...up] = line('npx gantry up')
    const terminal = cli.inTerminal(up, { cwd: repository, env: env() })
    await terminal.shows('Following what it writes', 120_000)
    terminal.type('\u0003')
    expect(await terminal.exit).toBe(0)
    expect(await terminal.screen()).toContain('✔ hello-docker  v1 runs, 2 of 2 ready')
    expect(await curl()).toMatch(/^hello from \S+, built once$/m)
  })

  it('looks inside: what it wrote, a command in it, and what it uses', async (context) => {
    here(context)
    expect(await gantry('logs')).toMatch(/listening on 8080$/m)
    expect(await gantry('exec')).toBe(`${process.version}\n`)
    await until(
      'figures that Docker has measured',
      () => gantry('top'),
      (text) => /[1-9]\d*(\.\d+)?\s?Mi?B?/.test(text),
    )
  })

  it('deploys another environment, and another image under the same name; and goes back by one', async (context) => {
    here(context)
    const containers = await ours()
    expect(await gantry('deploy hello-docker --env')).toBe('workload/hello-docker deployed\n')
    expect(await curl()).toMatch(/^welcome from \S+, built once$/m)
    const [file = '', ...args] = line('docker build -t hello-docker --build-arg')
    await program(file, args)
    expect(await gantry('deploy hello-docker --wait')).toBe('workload/hello-docker deployed\n')
    expect(await curl()).toMatch(/^welcome from \S+, built again$/m)
    expect(await gantry('rollback')).toBe('workload/hello-docker rolls back\n')
    expect(await curl()).toMatch(/^welcome from \S+, built once$/m)
    // Not one of the first is left but their network, and there are no more than there were.
    expect(await ours()).toHaveLength(containers.length)
  })

  it('leaves nothing behind', async (context) => {
    here(context)
    await gantry('delete')
    expect(await ours('ps', 'volume')).toEqual([])
    expect(await gantry('provider rm')).toBe('provider/docker deleted\n')
    // The server lets go of it a moment later.
    await until(
      'the network of the tenant to be gone',
      () => ours(),
      (left) => left.length === 0,
    )
  })

  it('shows a provider on another machine as it can be applied', async (context) => {
    here(context)
    const args = ['apply', '--dry-run', '-f', 'examples/docker/far-host.yaml']
    const { code, stdout, stderr } = await cli.gantry(args, { cwd: repository })
    expect([code, stderr]).toEqual([0, expect.anything()])
    expect(stdout).toContain('provider/east')
    expect((await cli.gantry(['explain', 'provider.spec.docker'])).stdout).toMatch(/^ *endpoint\b/m)
  })
})
