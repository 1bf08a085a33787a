/** `gantry provider add kubernetes`, with a real server and a real cluster. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EngineReady, engine } from '@gantry/engines'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { type CliSystem, startCliSystem } from '../../../testing/cli-system.ts'

const call = { signal: AbortSignal.timeout(15 * 60_000) }

let cli: CliSystem
let cluster: EngineReady<'kubernetes'> | undefined
let folder: string
let missing = ''
beforeAll(async () => {
  const found = await engine('kubernetes', call)
  if (found.state === 'missing') missing = found.why
  else cluster = found
  folder = await mkdtemp(join(tmpdir(), 'gantry-kubeconfig-'))
  cli = await startCliSystem()
})
afterAll(async () => {
  await cli?.dispose()
  await rm(folder, { recursive: true, force: true })
  cluster?.release()
})

const rig = ({ skip }: Pick<TestContext, 'skip'>) => cluster?.address ?? skip(missing)
const add = (...args: readonly string[]) => ['provider', 'add', 'kubernetes', ...args]

async function said(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await cli.gantry(args)
  expect([code, stderr], args.join(' ')).toEqual([0, expect.anything()])
  return stdout
}

const names = () => said('provider', 'ls', '-o', 'name')

async function written(name: string, user: object, server = 'https://127.0.0.1:1'): Promise<string> {
  const file = join(folder, name)
  const config = {
    clusters: [{ name: 'c', cluster: { server } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'here',
  }
  await writeFile(file, JSON.stringify(config))
  return file
}

describe('gantry provider add kubernetes', () => {
  it('says where it has looked when there is no kubeconfig, and adds nothing', async () => {
    const { code, stderr } = await cli.gantry(add(), { env: { KUBECONFIG: '/srv/nowhere/config' } })
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is no kubeconfig at /srv/nowhere/config')])
    expect(await names()).toBe('provider/local\n')
  })

  it('refuses two ways at once, what is of other types, and programs of this machine', async () => {
    const refused = async (...args: readonly string[]) => (await cli.gantry(['provider', 'add', ...args])).stderr
    expect(await refused('kubernetes', '--in-cluster', '--kubeconfig', 'a')).toMatch(/--kubeconfig and --in-cluster/)
    expect(await refused('local', 'other', '--in-cluster')).toMatch(/--in-cluster is for providers of type kubernetes/)
    expect(await refused('kubernetes', '--endpoint', 'x')).toMatch(/--endpoint is for providers of type docker/)
    const file = await written('exec', { exec: { command: 'aws' } })
    expect(await refused('kubernetes', '--kubeconfig', file)).toMatch(/signs in with aws.*--server-kubeconfig PATH/s)
  })

  it('adds nothing that the server cannot reach, keeps no secret of it, and says why', async () => {
    const file = await written('away', { token: 't' })
    const { code, stdout, stderr } = await cli.gantry(add('--kubeconfig', file))
    expect([code, stdout]).toEqual([11, ''])
    expect(stderr).toMatch(/Nothing was added\. The server cannot use it: .*127\.0\.0\.1:1/)
    expect(await names()).toBe('provider/local\n')
    expect(await said('secret', 'ls', '-o', 'name')).toBe('')
  })

  it('says so where the server is in no cluster', async () => {
    const { code, stderr } = await cli.gantry(add('--in-cluster'))
    expect([code, stderr]).toEqual([
      expect.anything(),
      expect.stringMatching(/Nothing was added\..*No cluster is config/s),
    ])
    expect(await names()).toBe('provider/local\n')
  })

  it('takes the context of who is here, keeps it as a secret, says what the cluster is, and is shown', async (context) => {
    const { kubeconfig, server } = rig(context)
    const args = add('east', '--namespace-prefix', 'cli-add', '--region', 'desk', '--kube-context', 'admin')
    const { code, stdout, stderr } = await cli.gantry(args, { env: { KUBECONFIG: kubeconfig } })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(new RegExp(`^provider/east created: Kubernetes 1\\.\\d+\\S* at ${server}\n`))
    expect(stdout).toContain('Its kubeconfig (context admin) is kept as secret/kubernetes-east\n')
    expect(stdout).toMatch(/^What is limited there:\n {2}\S/m)
    const shown = await said('get', 'provider', 'east', '-o', 'yaml')
    expect(shown).toMatch(/secret:\n +name: kubernetes-east\n/)
    expect(shown).not.toMatch(/client-key|BEGIN/)
    expect(await said('provider', 'ls', '-o', 'wide')).toMatch(/^east +kubernetes +yes +desk +1\.\d+/m)
    const twice = await cli.gantry(add('again', '--server-kubeconfig', kubeconfig))
    expect([twice.code, twice.stderr]).toEqual([6, expect.stringContaining('the cluster of the Provider "east"')])
    expect(await names()).toBe('provider/east\nprovider/local\n')
    await said('provider', 'rm', 'east')
    await said('secret', 'rm', 'kubernetes-east')
  })
})
