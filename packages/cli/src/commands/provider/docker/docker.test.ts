/** `gantry provider add docker`, with a real server and a real Docker Engine. */
import { type EngineReady, engine } from '@gantry/engines'
import { type DockerRelay, relayDocker } from '@gantry/server/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, type TestContext } from 'vitest'
import { type CliSystem, startCliSystem } from '../../../testing/cli-system.ts'

const call = { signal: AbortSignal.timeout(15 * 60_000) }

let cli: CliSystem
let docker: EngineReady<'docker'> | undefined
let missing = ''
beforeAll(async () => {
  const found = await engine('docker', call)
  if (found.state === 'missing') missing = found.why
  else docker = found
  cli = await startCliSystem()
})
afterAll(async () => {
  await cli?.dispose()
  docker?.release()
})

type Skip = Pick<TestContext, 'skip'>

const rig = ({ skip }: Skip) => docker?.address ?? skip(missing)
const nobody = 'unix:///nobody/listens/here.sock'

async function said(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await cli.gantry(args)
  expect([code, stderr], args.join(' ')).toEqual([0, expect.anything()])
  return stdout
}

const names = () => said('provider', 'ls', '-o', 'name')

async function relayed(context: Skip, way: 'unix' | 'tls'): Promise<DockerRelay & { readonly subnets: string }> {
  const { socket, subnets } = rig(context)
  const relay = await relayDocker(socket, way)
  onTestFinished(() => relay.close())
  return { ...relay, subnets }
}

describe('gantry provider add docker', () => {
  it('says where it has looked when there is none, and adds nothing', async () => {
    const { code, stdout, stderr } = await cli.gantry(['provider', 'add', 'docker'], { env: { DOCKER_HOST: nobody } })
    expect([code, stdout]).toEqual([11, ''])
    expect(stderr).toContain(`looked at ${nobody} (not there). Start Docker, set DOCKER_HOST, or say where it is`)
    expect(await names()).toBe('provider/local\n')
  })

  it('adds nothing that the server cannot reach, and says why', async () => {
    const { code, stdout, stderr } = await cli.gantry(['provider', 'add', 'docker', '--endpoint', nobody])
    expect([code, stdout]).toEqual([11, ''])
    expect(stderr).toMatch(/Nothing was added\. The server cannot use it: .*ENOENT/)
    expect(await names()).toBe('provider/local\n')
  })

  it('does not take the engine of this machine for one of another', async () => {
    const far = ['provider', 'add', 'docker', '--server', 'http://gantry.example', '--token', 'gantry_none']
    const { code, stderr } = await cli.gantry(far)
    expect([code, stderr]).toEqual([2, expect.stringContaining('as that machine sees it, with --endpoint unix:///')])
  })

  it('refuses what is not for docker, two certificates, and a way that is open to all', async () => {
    const refused = async (...args: readonly string[]) => (await cli.gantry(['provider', 'add', ...args])).stderr
    expect(await refused('local', 'other', '--endpoint', nobody)).toMatch(/--endpoint is for providers of type docker/)
    expect(await refused('docker', '--endpoint', nobody, '--tls-dir', 'a', '--tls-secret', 'b')).toMatch(/one cert/)
    expect(await refused('docker', '--endpoint', 'tcp://10.0.0.5:2375')).toMatch(/spec\.docker\.tls/)
  })

  it('finds the engine by $DOCKER_HOST, says what it is, and is shown everywhere', async (context) => {
    const { endpoint, subnets } = await relayed(context, 'unix')
    const args = ['provider', 'add', 'docker', '--subnets', subnets, '--region', 'desk']
    const { code, stdout, stderr } = await cli.gantry(args, { env: { DOCKER_HOST: endpoint } })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(new RegExp(`^provider/docker created: Docker \\S+ at ${endpoint}\n`))
    for (const fact of [/api: +1\.\d+/, /storage driver: +overlay2/, /cgroup: +v\d/, /rootless: +no/]) {
      expect(stdout).toMatch(fact)
    }
    expect(stdout).toMatch(/^What is limited there:\n {2}\S/m)
    expect(await said('provider', 'ls', '-o', 'wide')).toMatch(/^docker +docker +yes +desk +\d+\.\d+\S* +default/m)
    expect(await said('provider', 'describe', 'docker')).toMatch(/^Engine:\n(.*\n)*? +storage driver: +overlay2\n/m)
    const doctor = await cli.gantry(['doctor'], { env: { DOCKER_HOST: endpoint } })
    expect(doctor.stdout).toMatch(/^ok +provider docker +docker, ready$/m)
    expect(doctor.stdout).toMatch(/^ok +docker +Docker \S+ answers at unix:\S+, API 1\.\d+$/m)
    const twice = await cli.gantry(['provider', 'add', 'docker', 'again', '--endpoint', endpoint])
    expect([twice.code, twice.stderr]).toEqual([6, expect.stringContaining('the engine of the Provider "docker"')])
    expect(await names()).toBe('provider/docker\nprovider/local\n')
    expect(await said('provider', 'rm', 'docker')).toBe('provider/docker deleted\n')
  })

  it('speaks TLS with a certificate that lies in a Secret, and never in the Provider', async (context) => {
    const { endpoint, certificates, otherCertificates, subnets } = await relayed(context, 'tls')
    const far = ['provider', 'add', 'docker', 'far', '--endpoint', endpoint, '--subnets', subnets]
    const stranger = await cli.gantry([...far, '--tls-dir', await otherCertificates()])
    expect([stranger.code, stranger.stderr]).toEqual([11, expect.stringContaining('Nothing was added.')])
    expect(await said('secret', 'ls', '-o', 'name')).toBe('')
    expect(await said(...far, '--tls-dir', certificates)).toContain('provider/far created: Docker')
    const shown = await said('get', 'provider', 'far', '-o', 'yaml')
    expect(shown).toMatch(/tls:\n +secret: docker-far\n +tenant: default\n/)
    expect(shown).not.toContain('PRIVATE KEY')
    await said('provider', 'rm', 'far')
    const again = await cli.gantry([...far, '--tls-dir', certificates])
    expect([again.code, again.stderr]).toEqual([6, expect.stringContaining('use it with --tls-secret docker-far')])
    expect(await said(...far, '--tls-secret', 'docker-far')).toContain('provider/far created: Docker')
    await said('provider', 'rm', 'far')
    await said('secret', 'rm', 'docker-far')
  })
})
