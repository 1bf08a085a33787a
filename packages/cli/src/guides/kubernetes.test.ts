/** The page about Kubernetes, run as a reader would: on a real cluster, by the commands that it shows. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type EngineReady, engine, type KubernetesTools, kubernetesTools } from '@gantry/engines'
import { pushNodeImage, until } from '@gantry/server/testing'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { type CliSystem, startCliSystem } from '../testing/cli-system.ts'

/** As the page has them, one on a line; they are run with ports, an image and a prefix of namespaces of the test's own. */
const shown = `
npx gantry provider add kubernetes
npx gantry up -f examples/kubernetes/gantry.yaml
curl http://hello-kubernetes.default.localhost:7480/
npx gantry logs hello-kubernetes --tail 5
npx gantry exec hello-kubernetes -- node --version
npx gantry deploy hello-kubernetes --env GREETING=welcome --wait
npx gantry rollback hello-kubernetes --wait
npx gantry apply -f examples/kubernetes/manifests/gantry.yaml --wait
npx gantry ps hello-manifests -o wide
curl http://hello-manifests.default.localhost:7480/
npx gantry apply -f examples/kubernetes/chart/gantry.yaml --wait
curl http://hello-chart.default.localhost:7480/
helm list --namespace gantry-default
npx gantry rollout history hello-chart
npx gantry delete workload hello-kubernetes hello-manifests hello-chart --wait
npx gantry provider rm kubernetes
npx gantry secret rm kubernetes-kubernetes
`
const lines = shown.trim().split('\n')
const repository = fileURLToPath(new URL('../../../../', import.meta.url))
const call = { signal: AbortSignal.timeout(15 * 60_000) }
const run = promisify(execFile)

let cli: CliSystem
let cluster: EngineReady<'kubernetes'> | undefined
/** The cluster is everybody's. */
const prefix = `guide-${randomUUID().slice(0, 8)}`
const namespace = `${prefix}-default`
let tools: KubernetesTools
/** A copy of the examples, with an image that this cluster can have. */
let folder: string
let missing: string | undefined

beforeAll(async () => {
  const found = await engine('kubernetes', call)
  if (found.state === 'missing') {
    missing = found.why
    return
  }
  cluster = found
  const image = await pushNodeImage(call)
  tools = await kubernetesTools(call)
  folder = await mkdtemp(join(tmpdir(), 'gantry-guide-'))
  await cp(join(repository, 'examples/kubernetes'), join(folder, 'examples/kubernetes'), { recursive: true })
  await useImage(image)
  cli = await startCliSystem({ PATH: `${dirname(tools.helm)}${delimiter}${process.env.PATH}` })
}, 600_000)

afterAll(async () => {
  await cli?.dispose()
  cluster?.release()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
}, 600_000)

async function useImage(image: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll('node:22-alpine', image))
  }
}

const kubeconfig = (): string => cluster?.address.kubeconfig ?? ''
const env = () => ({ KUBECONFIG: kubeconfig() })

/** The one line that begins so. */
function line(start: string): string[] {
  const [found = '', ...more] = lines.filter((one) => one.startsWith(start))
  expect(more, start).toEqual([])
  return found.split(' ')
}

async function gantry(start: string, ...more: readonly string[]): Promise<string> {
  const [, , ...shownArgs] = line(`npx gantry ${start}`)
  const args = [...shownArgs, ...more]
  const { code, stdout, stderr } = await cli.gantry(args, { cwd: folder, env: env() })
  expect([code, stderr], args.join(' ')).toEqual([0, expect.anything()])
  return stdout
}

async function curl(name: string): Promise<string> {
  const [file = '', address = ''] = line(`curl http://${name}`)
  const { stdout } = await run(file, ['-fsS', address.replace('7480', String(cli.system.edgePort))], call)
  return stdout
}

async function kubectl(...args: readonly string[]): Promise<string> {
  return (await run(tools.kubectl, ['--kubeconfig', kubeconfig(), ...args], call)).stdout
}

const here = ({ skip }: Pick<TestContext, 'skip'>): void => void (missing !== undefined && skip(missing))

describe('the page about Kubernetes', { timeout: 300_000 }, () => {
  it('shows what is run here, in this order', async () => {
    const page = await readFile(`${repository}/docs/providers/kubernetes.md`, 'utf8')
    const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, text = '']) => text.trim().split('\n'))
    expect(blocks).toEqual(lines)
  })

  it('adds the cluster, and runs a workload of services that answers', async (context) => {
    here(context)
    expect(await gantry('provider add', '--namespace-prefix', prefix)).toMatch(
      /^provider\/kubernetes created: Kubernetes 1\.\d+\S* at https:/,
    )
    const [, , ...up] = line('npx gantry up')
    const terminal = cli.inTerminal(up, { cwd: folder, env: env() })
    await terminal.shows('Following what it writes', 120_000)
    terminal.type('\u0003')
    expect(await terminal.exit).toBe(0)
    expect(await terminal.screen()).toContain('✔ hello-kubernetes  v1 runs, 2 of 2 ready')
    expect(await curl('hello-kubernetes')).toMatch(/^hello from \S+$/m)
    expect(await gantry('logs')).toMatch(/listening on 8080$/m)
    expect(await gantry('exec')).toBe(`${process.version}\n`)
  })

  // The three are about workloads of their own, and mostly wait for pods.
  it.concurrent('deploys another environment, and goes back by one', async (context) => {
    here(context)
    expect(await gantry('deploy')).toBe('workload/hello-kubernetes deployed\n')
    expect(await curl('hello-kubernetes')).toMatch(/^welcome from \S+$/m)
    expect(await gantry('rollback')).toBe('workload/hello-kubernetes rolls back\n')
    expect(await curl('hello-kubernetes')).toMatch(/^hello from \S+$/m)
  })

  it.concurrent('runs manifests as they are, by their objects, and answers for them', async (context) => {
    here(context)
    expect(await gantry('apply -f examples/kubernetes/manifests')).toBe('workload/hello-manifests created\n')
    const ps = await gantry('ps')
    for (const object of ['configmap/program', 'deployment/web', 'service/web']) expect(ps).toContain(object)
    expect(await curl('hello-manifests')).toBe('hello from manifests\n')
    const logs = await cli.gantry(['logs', 'hello-manifests', '--service', 'deployment/web'])
    expect(logs.stdout).toMatch(/listening on 8080$/m)
  })

  it.concurrent('runs a chart that Helm knows too, with its values', async (context) => {
    here(context)
    expect(await gantry('apply -f examples/kubernetes/chart')).toBe('workload/hello-chart created\n')
    expect(await curl('hello-chart')).toBe('hello from a chart\n')
    const list = line('helm list')
      .slice(1)
      .map((word) => word.replace('gantry-default', namespace))
    const { stdout } = await run(tools.helm, list, { ...call, env: { ...process.env, ...env() } })
    expect(stdout).toMatch(new RegExp(`^hello-chart\\s+${namespace}\\s+1\\s.*deployed\\s+hello-1\\.0\\.0`, 'm'))
    expect(await kubectl('get', 'deployment', 'hello-chart', '-n', namespace, '-o', 'jsonpath={.spec.replicas}')).toBe(
      '2',
    )
    expect(await gantry('rollout history')).toMatch(/v1/)
    const changed = ['apply', '-f', 'examples/kubernetes/chart/gantry.yaml', '--wait']
    const file = join(folder, 'examples/kubernetes/chart/gantry.yaml')
    await writeFile(file, (await readFile(file, 'utf8')).replace('hello from a chart', 'hello again'))
    expect((await cli.gantry(changed, { cwd: folder })).stdout).toBe('workload/hello-chart configured\n')
    expect(await curl('hello-chart')).toBe('hello again\n')
    const history = await cli.gantry(['rollout', 'history', 'hello-chart'])
    expect(history.stdout).toContain('values of the chart')
    expect((await cli.gantry(['rollback', 'hello-chart', '--wait'])).stdout).toBe('workload/hello-chart rolls back\n')
    expect(await curl('hello-chart')).toBe('hello from a chart\n')
  })

  it('leaves nothing behind', async (context) => {
    here(context)
    await gantry('delete')
    expect(await gantry('provider rm')).toBe('provider/kubernetes deleted\n')
    expect(await gantry('secret rm')).toBe('secret/kubernetes-kubernetes deleted\n')
    // It would stay a while for whoever comes next, but nobody comes to a Provider that is gone.
    await until(
      'the namespace of the tenant to be gone',
      () => kubectl('get', 'namespaces', '-o', 'name'),
      (names) => !names.includes(namespace),
    )
  })
})
