import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { settled, until, webWorkload } from '@gantry/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliSystem, startCliSystem } from '../../testing/cli-system.ts'

describe('deleting and waiting', () => {
  let cli: CliSystem
  let folder: string
  const workloads = () => cli.system.client.tenant('default').workloads
  const names = async () => (await workloads().list().toArray()).map(({ metadata }) => metadata.name)
  const make = async (name: string, more: object = {}) => {
    await workloads().put({
      ...webWorkload({ name, replicas: 0, ...more }),
      metadata: { name, labels: { team: 'web' } },
    })
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-delete-'))
    cli = await startCliSystem()
  })
  afterAll(async () => {
    await cli?.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  it('deletes by name, and stays until it is gone if asked to', async () => {
    await make('one', { replicas: 1 })
    await settled(cli.system.client, 'one')
    const { code, stdout, stderr } = await cli.gantry(['delete', 'workload', 'one', '--wait'])
    expect(stdout).toBe('workload/one deleted\n')
    expect(stderr).toMatch(/^(workload\/one: it is being deleted since \d+s, held by .*\n)+$/)
    expect(code).toBe(0)
    expect(await names()).toEqual([])
  })

  it('says what is on its way when it does not stay', async () => {
    await make('one')
    const { stdout } = await cli.gantry(['rm', 'wl/one'])
    expect(stdout).toMatch(/^workload\/one (is being deleted|deleted)\n$/)
    expect(await cli.gantry(['wait', 'wl/one', '--for=delete'])).toMatchObject({
      code: 0,
      stdout: 'workload/one: gone\n',
    })
  })

  it('deletes what a file has, in an order that fits', async () => {
    const route = {
      apiVersion: 'gantry/v1',
      kind: 'Route',
      metadata: { name: 'shop' },
      spec: { workload: 'one', hosts: ['a.example'] },
    }
    const file = join(folder, 'all.yaml')
    await writeFile(
      file,
      [webWorkload({ name: 'one', replicas: 0 }), route].map((one) => JSON.stringify(one)).join('\n---\n'),
    )
    await make('one')
    await cli.system.client.tenant('default').routes.put(route as never)
    const dry = await cli.gantry(['delete', '-f', file, '--dry-run'])
    expect(dry.stdout).toBe('route/shop would be deleted\nworkload/one would be deleted\n')
    const { code, stdout } = await cli.gantry(['delete', '-f', 'all.yaml', '--wait'], { cwd: folder })
    expect(stdout.split('\n').toSorted()).toEqual(['', 'route/shop deleted', 'workload/one deleted'])
    expect(code).toBe(0)
  })

  it('deletes by label and all, and asks a person before', async () => {
    await make('one')
    await make('two')
    const refused = cli.inTerminal(['delete', 'wl', '--all'])
    await refused.shows('Delete workload/one, workload/two of tenant default? [y/N]')
    refused.type('n\r')
    expect(await refused.exit).toBe(1)
    expect(await refused.screen()).toContain('Nothing was deleted.')
    expect(await names()).toEqual(['one', 'two'])
    const agreed = cli.inTerminal(['delete', 'wl', '-l', 'team=web', '--wait'])
    await agreed.shows('[y/N]')
    agreed.type('y\r')
    expect(await agreed.exit).toBe(0)
    expect(await names()).toEqual([])
    expect(await cli.gantry(['delete', 'wl', '--all'])).toEqual({ code: 0, stdout: '', stderr: 'Nothing to delete.\n' })
  })

  it('asks before data goes, and takes --yes for an answer', async () => {
    await make('data')
    const asked = cli.inTerminal(['delete', 'wl/data', '--volumes'])
    await asked.shows('with all data in their volumes? [y/N]')
    asked.type('\r')
    expect(await asked.exit).toBe(1)
    const { code } = await cli.gantry(['delete', 'wl/data', '--volumes', '--yes', '--wait'])
    expect(code).toBe(0)
    expect(await names()).toEqual([])
  })

  it('gives up on an engine only by its own flag, and says why in audit', async () => {
    await make('lost')
    const { code, stdout } = await cli.gantry([
      'delete',
      'wl/lost',
      '--abandon',
      '--why',
      'the machine burnt down',
      '--wait',
    ])
    expect(stdout).toBe('workload/lost deleted\n')
    expect(code).toBe(0)
  })

  it.each([
    [['delete'], 2, 'What is to be deleted?'],
    [['delete', 'wl'], 2, 'choose with -l LABELS or --all'],
    [['delete', 'wl/one', '--all'], 2, 'leave one out'],
    [['delete', 'route/shop', '--volumes'], 2, '--volumes is for workloads'],
    [['delete', 'release/web-v1'], 2, 'made by the server'],
    [['delete', 'wl/one', '--why', 'x'], 2, 'goes with --abandon'],
    [['delete', 'wl/nothing'], 5, 'There is no workload "nothing"'],
    [['wait', 'wl/one', '--for=condition=Raedy'], 2, 'did you mean "Ready"?'],
    [['wait', 'wl/one', '--for=jsonpath={.a}'], 2, 'cannot be waited for'],
    [['wait', 'wl', '--all'], 5, 'nothing to wait for'],
    [['wait', 'wl/nothing'], 5, 'There is no workload "nothing"'],
  ])('refuses %j', async (line, exit, text) => {
    const { code, stderr } = await cli.gantry(line)
    expect(stderr).toContain(text)
    expect(code).toBe(exit)
  })

  it('takes what is not there for deleted, if told so', async () => {
    const ran = await cli.gantry(['delete', 'wl/nothing', '--ignore-not-found'])
    expect(ran).toEqual({ code: 0, stdout: 'workload/nothing is not there\n', stderr: '' })
  })

  it('waits until an object is ready, and says meanwhile how it is', async () => {
    await make('slow', { replicas: 1, more: { run: 'stopped' } })
    const waiting = cli.start(['wait', 'workload/slow', '--for=condition=Ready'])
    await until(
      'it waits',
      async () => waiting.stderr(),
      (text) => text.includes('workload/slow: waiting for condition Ready to be True; '),
    )
    await workloads().start('slow')
    const { code, stdout } = await waiting.done
    expect(stdout).toMatch(/^workload\/slow: Ready is True since \d+s: 1 of 1 replica is ready\n$/)
    expect(code).toBe(0)
    const field = await cli.gantry(['wait', 'wl', '-l', 'team=web', '--for=status.state=running'])
    expect(field).toEqual({ code: 0, stdout: 'workload/slow: status.state is running\n', stderr: '' })
  })

  it('gives up in time, and says how it was last', async () => {
    const { code, stderr } = await cli.gantry(['wait', 'wl/slow', '--for=spec.replicas=7', '--timeout', '1s'])
    expect(stderr).toContain(
      'Waiting for spec.replicas to be 7 took longer than 1s: workload/slow: spec.replicas is 1; wait longer with --timeout',
    )
    expect(code).toBe(12)
  })

  it('says so when what is waited for is deleted', async () => {
    const waiting = cli.start(['wait', 'wl/slow', '--for=spec.replicas=7'])
    await until(
      'it waits',
      async () => waiting.stderr(),
      (text) => text.includes('spec.replicas is 1'),
    )
    await workloads().delete('slow')
    const { code, stderr } = await waiting.done
    expect(stderr).toContain('workload/slow was deleted while it was waited for')
    expect(code).toBe(5)
  })
})
