/** A cluster whose addresses are not to be dialled from here: what is said of it, and the way through its API. */
import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type EngineReady, engine, kubernetesTools } from '@gantry/engines'
import { settled, until } from '@gantry/server/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type CliSystem, startCliSystem } from '../../testing/cli-system.ts'

const call = { signal: AbortSignal.timeout(10 * 60_000) }
const run = promisify(execFile)
const namespacePrefix = `tunnel-${randomUUID().slice(0, 8)}`

/** Says its name over http; says it first and then everything back at another port. */
const program = `
mkdir -p /www && hostname > /www/index.html && httpd -p 8080 -h /www
trap 'exit 0' TERM
nc -ll -p 9000 -e sh -c 'hostname; exec cat' & wait
`
const command = ['sh', '-c', program]

let cli: CliSystem
let cluster: EngineReady<'kubernetes'> | undefined
let folder: string
let missing: string | undefined

beforeAll(async () => {
  const found = await engine('kubernetes', call)
  if (found.state === 'missing') {
    missing = found.why
    return
  }
  cluster = found
  folder = await mkdtemp(join(tmpdir(), 'gantry-tunnel-'))
  cli = await startCliSystem()
  const { kubeconfig, image } = found.address
  await cli.system.client.providers.put({
    apiVersion: 'gantry/v1',
    kind: 'Provider',
    metadata: { name: 'far' },
    spec: {
      type: 'kubernetes',
      kubernetes: { kubeconfig: { path: kubeconfig }, namespacePrefix, reach: 'tunnel', drainSeconds: 0 },
    },
  })
  await cli.system.client.tenant('default').workloads.put(webWorkload(image))
  await writeSet(image)
  const { code, stderr } = await cli.gantry(['apply', '-f', 'set.yaml', '--wait'], { cwd: folder })
  expect([code, stderr]).toEqual([0, expect.anything()])
  await settled(cli.system.client, 'web')
}, 300_000)

afterAll(async () => {
  try {
    if (cli) await takeAway()
  } finally {
    await cli?.dispose()
    cluster?.release()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}, 300_000)

/** All of it, and nothing is left on a cluster that is everybody's. */
async function takeAway(): Promise<void> {
  for (const args of [
    ['delete', 'workload', 'web', 'written', '--wait'],
    ['provider', 'rm', 'far'],
  ]) {
    const { code, stderr } = await cli.gantry(args)
    expect([code, stderr], args.join(' ')).toEqual([0, expect.anything()])
  }
  const { kubectl } = await kubernetesTools(call)
  const argv = ['--kubeconfig', cluster?.address.kubeconfig ?? '', 'get', 'namespaces', '-o', 'name']
  await until(
    'the namespace to be gone',
    async () => (await run(kubectl, argv, call)).stdout,
    (names) => !names.includes(namespacePrefix),
  )
}

beforeEach(({ skip }) => {
  if (missing !== undefined) skip(missing)
})

const webWorkload = (image: string) => ({
  apiVersion: 'gantry/v1' as const,
  kind: 'Workload' as const,
  metadata: { name: 'web' },
  spec: {
    provider: 'far',
    replicas: 1,
    services: [
      {
        name: 'web',
        image,
        command,
        ports: [
          { name: 'http', port: 8080, protocol: 'http' as const },
          { name: 'echo', port: 9000, protocol: 'tcp' as const },
          { name: 'nobody', port: 9001, protocol: 'tcp' as const },
        ],
        healthCheck: { tcp: { port: 'echo' } },
      },
    ],
    strategy: { minReadySeconds: 0 },
  },
})

async function writeSet(image: string): Promise<void> {
  const labels = { app: 'written' }
  const ports = [{ name: 'web', containerPort: 8080 }]
  const container = {
    name: 'web',
    image,
    imagePullPolicy: 'IfNotPresent',
    command,
    ports,
    readinessProbe: { tcpSocket: { port: 'web' }, periodSeconds: 1 },
  }
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'written' },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [container] } } },
  }
  // At another number than what is behind it, which it knows by its name.
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'written' },
    spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'web' }] },
  }
  const workload = {
    apiVersion: 'gantry/v1',
    kind: 'Workload',
    metadata: { name: 'written' },
    spec: { provider: 'far', source: { manifests: { files: ['objects'] } } },
  }
  await mkdir(join(folder, 'objects'))
  await writeFile(
    join(folder, 'objects', 'all.yaml'),
    [deployment, service].map((one) => JSON.stringify(one)).join('\n---\n'),
  )
  await writeFile(join(folder, 'set.yaml'), JSON.stringify(workload))
}

async function forward(name: string, port: string) {
  const running = cli.start(['port-forward', name, port])
  onTestFinished(() => running.end('SIGKILL'))
  const line = await until(
    'it to listen',
    async () => running.stdout(),
    (text) => text.endsWith('\n'),
  )
  return { running, port: Number(/:(\d+) to /.exec(line)?.[1]) }
}

function dial(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => socket.destroy())
  return socket
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())))

/** The line with its name, and as many bytes behind it. */
async function read(socket: Socket, behind = 0): Promise<{ readonly name: string; readonly rest: Buffer }> {
  const chunks: Buffer[] = []
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer)
    const all = Buffer.concat(chunks)
    const at = all.indexOf('\n')
    if (at >= 0 && all.length >= at + 1 + behind)
      return { name: all.toString('utf8', 0, at), rest: all.subarray(at + 1) }
  }
  throw new Error(`It ended after ${Buffer.concat(chunks).length} bytes`)
}

const ask = async (port: number): Promise<string> => await (await fetch(`http://127.0.0.1:${port}/`)).text()

async function edgeSays(name: string): Promise<{ readonly status: number; readonly why: string }> {
  const headers = { host: `${name}.default.localhost`, accept: 'application/json' }
  const text = await new Promise<string>((resolve, reject) => {
    const asked = request({ port: cli.system.edgePort, host: '127.0.0.1', headers, agent: false }, async (answer) => {
      let body = ''
      for await (const part of answer) body += String(part)
      resolve(body)
    })
    asked.once('error', reject).end()
  })
  return JSON.parse(text)
}

describe('a workload that only the API of its cluster leads to', { timeout: 120_000 }, () => {
  it('is marked so wherever its addresses are told', async () => {
    expect((await cli.gantry(['ps', 'web'])).stdout).toMatch(/http \d+\.\d+\.\d+\.\d+:8080 \(tunnel\)\n/)
    const { instances } = cli.system.client.tenant('default')
    const all = await instances.list().toArray()
    const endpoints = all.flatMap(({ status }) => [
      ...(status.endpoints ?? []),
      ...(status.replicas ?? []).flatMap((replica) => replica.endpoints),
    ])
    expect(new Set(endpoints.map(({ via }) => via))).toEqual(new Set(['tunnel']))
    expect(new Set(endpoints.map(({ service }) => service))).toEqual(new Set(['web', 'service/written']))
    const provider = await cli.gantry(['describe', 'provider', 'far'])
    expect(provider.stdout).toContain('addresses of the cluster cannot be dialled from here, only through its API')
  })

  it.each(['web', 'written'])('has no address at the edge, which says what to do: %s', async (name) => {
    const next = `gantry port-forward ${name} :http`
    const answer = await until(
      'the edge to know it',
      () => edgeSays(name),
      ({ status }) => status === 503,
    )
    expect(answer.why).toBe(
      `It is reached only through the API of its engine, which the edge cannot do; run "${next}".`,
    )
    const opened = await cli.gantry(['open', name])
    expect([opened.code === 0, opened.stdout]).toEqual([false, ''])
    expect(opened.stderr).toContain(`so it has no address; "${next}" reaches it`)
  })

  it('is reached by port-forward, with many bytes both ways on several connections at once', async () => {
    const { port } = await forward('web', ':echo')
    const heard = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const sent = randomBytes(1_000_000)
        const socket = dial(port)
        socket.write(sent)
        const { name, rest } = await read(socket, sent.length)
        socket.destroy()
        return { name, isWhole: rest.equals(sent) }
      }),
    )
    expect(new Set(heard.map(({ isWhole }) => isWhole))).toEqual(new Set([true]))
    expect(new Set(heard.map(({ name }) => name)).size).toBe(1)
  })

  it('is reached in the pod that took the place of another; what was open to the old one ends', async () => {
    const { port } = await forward('web', ':echo')
    const old = dial(port)
    const { name: before } = await read(old)
    const { metadata } = await cli.system.client.tenant('default').workloads.restart('web')
    await settled(cli.system.client, 'web', metadata.generation)
    await closed(old)
    const after = await until(
      'the new pod to answer',
      () => read(dial(port)),
      ({ name }) => name !== before,
    )
    expect(after.name).toMatch(/^web-/)
  })

  it('is reached through its Service where others wrote it, whatever number and name that has behind it', async () => {
    const { port } = await forward('written', ':http')
    expect(await ask(port)).toMatch(/^written-/)
  })

  it('says that nobody listens, and goes on listening itself', async () => {
    const { port, running } = await forward('web', ':nobody')
    await closed(dial(port).resume())
    const said = /^Error: the connection of 127\.0\.0\.1:\d+ to nobody ended: Nobody listens on port 9001 of \S+$/gm
    await until(
      'it to say so',
      async () => running.stderr().match(said)?.length,
      (times) => times === 1,
    )
    await closed(dial(port).resume())
    await until(
      'it to say so again',
      async () => running.stderr().match(said)?.length,
      (times) => times === 2,
    )
  })

  it('is let go when it is told so, with all that was open', async () => {
    const { port, running } = await forward('web', ':echo')
    const open = dial(port)
    await read(open)
    running.end('SIGINT')
    expect((await running.done).code).toBe(130)
    await closed(open.resume())
    await expect(ask(port)).rejects.toThrow()
  })
})
