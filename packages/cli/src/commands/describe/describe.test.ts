import { settled, until, webWorkload } from '@gantry/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliSystem, startCliSystem } from '../../testing/cli-system.ts'

describe('looking at one object', () => {
  let cli: CliSystem
  beforeAll(async () => {
    cli = await startCliSystem()
    const { workloads } = cli.system.client.tenant('default')
    await workloads.put({
      ...webWorkload({ name: 'web', replicas: 1 }),
      metadata: { name: 'web', labels: { team: 'web' } },
    })
    await workloads.put(
      webWorkload({ name: 'broken', replicas: 1, env: { FAILS: 'start' }, more: { restart: { maxPerHour: 2 } } }),
    )
    await settled(cli.system.client, 'web')
  })
  afterAll(() => cli?.dispose())

  it('says how it is, what is asked for, what runs and what happened', async () => {
    const { code, stdout, stderr } = await cli.gantry(['describe', 'workload', 'web'])
    expect(stderr).toBe('')
    expect(code).toBe(0)
    const normal = stdout
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UID')
      .replaceAll(/\b\d+[smh]\b(?! *yes)/g, '9s')
      .replaceAll(/ +$/gm, '')
    const [, conditions] = /\nConditions:\n([\s\S]*?)\n\n/.exec(normal) ?? []
    expect(normal.slice(0, normal.indexOf('\nConditions'))).toBe(`Workload web
  Tenant:      default
  Uid:         UID
  Labels:      team=web
  Created:     TIME (9s ago)
  Generation:  1

Seen:
  State:     running
  Ready:     1/1
  Restarts:  0
  Release:   v1
  Type:      deployment
  Provider:  default
  Strategy:  rolling
`)
    expect(conditions).toMatch(
      /^ {2}TYPE +STATUS +SINCE +REASON +MESSAGE\n {2}Ready +True +9s +converged +1 of 1 replica is ready\n/,
    )
    expect(normal).toContain('\nAsked for:\n  Runs:      1 replica as a deployment\n')
    expect(normal).toContain('    Health:   GET /healthz on port http, every 9s\n')
    expect(normal).toMatch(/\n {2}a\/0 +web +v1 +running +yes +0 +- +9s\n/)
    expect(normal).toMatch(
      /\nEvents:\n {2}SEEN +TYPE +REASON +BY +MESSAGE\n[\s\S]*normal +Created +token:admin +was made\n$/,
    )
  })

  it('shows the last lines of what fails, with its exit code', async () => {
    const seen = await until(
      'the failure to be shown',
      async () => (await cli.gantry(['describe', 'wl/broken'])).stdout,
      (text) => text.includes('Last lines of web in replica a/0:\n  cannot start: the answer is 42'),
      { everyMs: 500 },
    )
    expect(seen).toMatch(/\n {2}a\/0 +web +v1 +\S.* +3 /)
  })

  it('describes objects of any kind', async () => {
    const provider = await cli.gantry(['describe', 'providers'])
    expect(provider.stdout).toMatch(/^Provider local\n[\s\S]*Asked for:\n {2}type: +local\n/)
    const release = await cli.gantry(['describe', 'release/web-v1'])
    expect(release.stdout).toMatch(/\n {2}Made for: +workload\/web\n/)
    expect(release.stdout).toContain('\n  services:\n    - name: web\n')
  })

  it('tells what happened in the tenant, to a kind and to one object, oldest first', async () => {
    const all = await cli.gantry(['events'])
    expect(all.stdout).toMatch(
      /^SEEN +TYPE +REASON +OBJECT +BY +MESSAGE\n\d+s +normal +Created +workload\/web +token:admin +was made\n/,
    )
    const one = JSON.parse((await cli.gantry(['events', 'workload/web', '-o', 'json'])).stdout)
    expect(one).toMatchObject({ apiVersion: 'gantry/v1', kind: 'List' })
    expect(one.items[0]).toMatchObject({ reason: 'Created', about: { kind: 'Workload', name: 'web' } })
    const releases = await cli.gantry(['events', 'secrets'])
    expect(releases).toEqual({ code: 0, stdout: '', stderr: 'No events of secrets in tenant default.\n' })
    const warnings = await cli.gantry(['events', 'wl', 'web', '--warnings'])
    expect(warnings.stderr).toBe('No events of workload/web in tenant default.\n')
    expect(await cli.gantry(['events', 'wl/wbe'])).toMatchObject({ code: 5 })
  })

  it('stays for what happens, and says nothing twice', async () => {
    const watching = cli.start(['events', 'workload/web', '-w'])
    await until(
      'what was',
      async () => watching.stdout(),
      (text) => text.includes('was made'),
    )
    await cli.system.client
      .tenant('default')
      .workloads.patch('web', { metadata: { labels: { team: 'shop' } }, spec: { stopGraceSeconds: 3 } })
    await until(
      'what happens',
      async () => watching.stdout(),
      (text) => text.includes('was changed to generation 2'),
    )
    watching.end('SIGINT')
    const { code, stdout } = await watching.done
    expect(stdout.match(/was made/g)).toHaveLength(1)
    expect(stdout.match(/^SEEN/gm)).toHaveLength(1)
    expect(code).toBe(130)
  })

  it('says what was meant, and when there is nothing', async () => {
    expect(await cli.gantry(['describe', 'wl/wbe'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('did you mean "web"?'),
    })
    const none = await cli.gantry(['describe', 'secrets'])
    expect(none).toEqual({ code: 0, stdout: '', stderr: 'No secrets in tenant default.\n' })
  })
})
