import { settled, until, webWorkload } from '@gantry/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliSystem, startCliSystem } from '../../testing/cli-system.ts'

describe('gantry get', () => {
  let cli: CliSystem
  beforeAll(async () => {
    cli = await startCliSystem()
    const { workloads, routes } = cli.system.client.tenant('default')
    await workloads.put({
      ...webWorkload({ name: 'web', replicas: 1 }),
      metadata: { name: 'web', labels: { team: 'web' } },
    })
    await routes.put({
      apiVersion: 'gantry/v1',
      kind: 'Route',
      metadata: { name: 'shop' },
      spec: { workload: 'web', hosts: ['shop.example'] },
    })
    await settled(cli.system.client, 'web')
  })
  afterAll(() => cli?.dispose())

  /** Ages and other numbers that are never the same. */
  const normal = (text: string): string => text.replaceAll(/\b\d+[smh]$/gm, 'AGE')

  it('shows a line for each object, under titles', async () => {
    const { code, stdout, stderr } = await cli.gantry(['get', 'workloads'])
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(normal(stdout)).toBe(
      [
        'NAME   STATE     READY   RESTARTS   RELEASE   AGE',
        'web    running   1/1     0          v1        AGE',
        '',
      ].join('\n'),
    )
  })

  it('shows more with wide, and whose it is over all tenants', async () => {
    const { stdout } = await cli.gantry(['get', 'wl', '-A', '-o', 'wide', '--no-headers'])
    expect(normal(stdout)).toBe('default   web   running   1/1   0   v1   deployment   default   rolling   AGE\n')
  })

  it('shows several kinds as tables of their own, and by name those of several', async () => {
    const { stdout } = await cli.gantry(['get', 'wl,rt'])
    expect(normal(stdout)).toMatch(
      /^NAME .*\nworkload\/web .*AGE\n\nNAME .*\nroute\/shop +shop.example +\/ +web +yes +AGE\n$/,
    )
    const named = await cli.gantry(['get', 'workload/web', 'route/shop', '-o', 'name'])
    expect(named.stdout).toBe('workload/web\nroute/shop\n')
  })

  it('is one object as JSON and YAML for one name, and else a list', async () => {
    const one = JSON.parse((await cli.gantry(['get', 'wl', 'web', '-o', 'json'])).stdout)
    expect(one).toMatchObject({ apiVersion: 'gantry/v1', kind: 'Workload', metadata: { name: 'web' } })
    const list = JSON.parse((await cli.gantry(['get', 'wl', '-o', 'json'])).stdout)
    expect(Object.keys(list)).toEqual(['apiVersion', 'kind', 'items'])
    expect(list).toEqual({ apiVersion: 'gantry/v1', kind: 'List', items: [one] })
    const { stdout } = await cli.gantry(['get', 'wl/web', '-o', 'yaml'])
    expect(stdout).toMatch(/^apiVersion: gantry\/v1\nkind: Workload\nmetadata:\n {2}name: web\n/)
    const none = JSON.parse((await cli.gantry(['get', 'wl', '-l', 'team=none', '-o', 'json'])).stdout)
    expect(none).toEqual({ apiVersion: 'gantry/v1', kind: 'List', items: [] })
  })

  it('chooses by labels, and says on the other channel when there is nothing', async () => {
    expect((await cli.gantry(['get', 'wl', '-l', 'team=web', '-o', 'name'])).stdout).toBe('workload/web\n')
    const empty = await cli.gantry(['get', 'wl', '-n', 'acme'])
    expect(empty).toMatchObject({ stdout: '' })
    const none = await cli.gantry(['get', 'secrets'])
    expect(none).toEqual({ code: 0, stdout: '', stderr: 'No secrets in tenant default.\n' })
    expect((await cli.gantry(['get', 'wl', '-l', 'team=x'])).stderr).toBe(
      'No workloads with team=x in tenant default.\n',
    )
  })

  it('shows those that there are, and says what was meant by the others', async () => {
    const { code, stdout, stderr } = await cli.gantry(['get', 'wl', 'web', 'wbe', '-o', 'name'])
    expect(stdout).toBe('workload/web\n')
    expect(stderr).toBe('Error: There is no workload "wbe" in tenant default; did you mean "web"?\n')
    expect(code).toBe(5)
    const kind = await cli.gantry(['get', 'worklods'])
    expect(kind.stderr).toContain('did you mean "workloads"?')
    expect(kind.code).toBe(2)
  })

  it('watches with columns that stay, a line for every change and none that says nothing new', async () => {
    const watching = cli.start(['get', 'wl', '-w'])
    await until(
      'the first row',
      async () => watching.stdout(),
      (text) => text.includes('running'),
    )
    const { workloads } = cli.system.client.tenant('default')
    await workloads.scale('web', { replicas: 2 })
    await settled(cli.system.client, 'web')
    await until(
      'both replicas',
      async () => watching.stdout(),
      (text) => text.includes('2/2'),
    )
    watching.end('SIGINT')
    const { code, stdout } = await watching.done
    const lines = stdout.trimEnd().split('\n')
    const at = lines[0]?.indexOf('READY') ?? -1
    expect(lines.filter((line) => line.startsWith('NAME'))).toHaveLength(1)
    expect(lines.slice(1).every((line) => /^[?\d]\/\d/.test(line.slice(at)))).toBe(true)
    expect(new Set(lines.map((line) => line.replace(/\S+$/, ''))).size).toBe(lines.length)
    expect(code).toBe(130)
  })

  it('watches as lines of JSON, with what is gone', async () => {
    const { workloads } = cli.system.client.tenant('default')
    const watching = cli.start(['get', 'wl', '-w', '-o', 'json'])
    await until(
      'the first line',
      async () => watching.stdout(),
      (text) => text.includes('\n'),
    )
    await workloads.put(webWorkload({ name: 'short', replicas: 0 }))
    await until(
      'it was seen',
      async () => watching.stdout(),
      (text) => text.includes('"short"'),
    )
    await workloads.delete('short')
    await until(
      'it is gone',
      async () => watching.stdout(),
      (text) => text.includes('{"type":"gone"'),
    )
    watching.end('SIGINT')
    const changes = (await watching.done).stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(changes[0]).toMatchObject({ type: 'put', object: { metadata: { name: 'web' } } })
    expect(changes.at(-1)).toMatchObject({ type: 'gone', object: { metadata: { name: 'short' } } })
  })

  it('says what cannot be asked together', async () => {
    const { code, stderr } = await cli.gantry(['get', 'wl', 'web', '-l', 'a=b'])
    expect(stderr).toContain('leave one out')
    expect(code).toBe(2)
  })

  it('is a table in a terminal too', async () => {
    const terminal = cli.inTerminal(['get', 'wl'])
    expect(await terminal.exit).toBe(0)
    expect(await terminal.screen()).toMatch(/^NAME/)
  })
})
