import { describe, expect, it } from 'vitest'
import { argvOf, type HelmCommand, majorOf } from './argv.ts'
import { environmentOf, placesIn } from './environment.ts'

const of = { release: 'web', namespace: 'gantry-acme' }
const upgrade: HelmCommand = {
  verb: 'upgrade',
  ...of,
  chart: '/run/chart.tgz',
  values: ['/run/values-0.yaml', '/run/set.json'],
  hooks: true,
  crds: true,
  wait: true,
  atomic: true,
  timeoutSeconds: 300,
  labels: { 'gantry.dev/uid': 'u', 'gantry.dev/release': 'r1' },
  description: 'Gantry release r1 (spec h1)',
}

describe('what helm is told', () => {
  it('is an upgrade that installs where nothing is', () => {
    expect(argvOf(upgrade, 4)).toEqual([
      ...['upgrade', 'web', '/run/chart.tgz', '--install', '--namespace', 'gantry-acme', '--reset-values'],
      ...['--history-max', '10', '--description', 'Gantry release r1 (spec h1)'],
      ...['--labels', 'gantry.dev/uid=u,gantry.dev/release=r1', '--wait=watcher', '--timeout', '300s'],
      ...['--rollback-on-failure', '--values', '/run/values-0.yaml', '--values', '/run/set.json'],
    ])
  })

  it('has the old flags for Helm 3', () => {
    const argv = argvOf(upgrade, 3)
    expect(argv).toContain('--wait')
    expect(argv).toContain('--atomic')
    expect(argv).not.toContain('--rollback-on-failure')
  })

  it.each<[string, HelmCommand, readonly string[], readonly string[]]>([
    [
      'nothing is waited for unless it is asked for',
      { ...upgrade, wait: false, atomic: false },
      ['--timeout'],
      ['--wait=watcher', '--rollback-on-failure'],
    ],
    ['hooks are left out', { ...upgrade, hooks: false }, ['--no-hooks'], []],
    ['definitions are left out', { ...upgrade, crds: false }, ['--skip-crds'], []],
    [
      'a namespace is never made',
      upgrade,
      [],
      ['--create-namespace', '--force', '--take-ownership', '--force-conflicts'],
    ],
    [
      'a rollback names its revision',
      { verb: 'rollback', ...of, revision: 3, wait: true, timeoutSeconds: 5, hooks: true },
      ['rollback', '3'],
      ['--atomic'],
    ],
    [
      'an uninstall waits, and has nothing against absence',
      { verb: 'uninstall', ...of, timeoutSeconds: 5, hooks: true },
      ['--ignore-not-found', '--wait=watcher'],
      ['--keep-history'],
    ],
    [
      'a template is asked of the cluster',
      { verb: 'template', ...of, chart: 'c', values: [], hooks: true, crds: true, isUpgrade: true, as: 'server' },
      ['--dry-run=server', '--include-crds', '--is-upgrade'],
      ['--no-hooks'],
    ],
    [
      'a pull names its version',
      { verb: 'pull', chart: 'gantry/web', version: '1', into: '/run', plainHttp: false },
      ['--version', '--destination'],
      ['--plain-http', '--username'],
    ],
  ])('%s', (_title, command, present, absent) => {
    const argv = argvOf(command, 4)
    expect(argv).toEqual(expect.arrayContaining([...present]))
    for (const flag of absent) expect(argv).not.toContain(flag)
  })

  it.each([
    ['v4.2.3', 4],
    ['v3.17.2+g1', 3],
    ['v2.1.0', undefined],
    ['', undefined],
  ] as const)('%s is Helm %s', (text, major) => {
    expect(majorOf(text)).toBe(major)
  })
})

describe('what helm is given as environment', () => {
  const own = {
    PATH: '/bin',
    HOME: '/srv/us',
    KUBECONFIG: '/srv/us/kubeconfig',
    AWS_SECRET: 's',
    HTTPS_PROXY: 'p',
    SSL_CERT_FILE: '/ca',
  }
  const places = placesIn('/run/m1')
  it('is nothing of ours but whom this machine trusts', () => {
    const env = environmentOf(places, 'm1', 'cluster', own)
    expect(env).toMatchObject({
      HOME: '/run/m1/home',
      KUBECONFIG: '/run/m1/kubeconfig',
      HELM_DRIVER: 'secret',
      GANTRY_PROCESS: 'm1',
      SSL_CERT_FILE: '/ca',
    })
    expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['PATH']))
    expect(JSON.stringify(env)).not.toMatch(/AWS_SECRET|HTTPS_PROXY|\/srv/)
  })
  it('has the way out for repositories only', () => {
    expect(environmentOf(places, 'm1', 'repository', own)).toHaveProperty('HTTPS_PROXY', 'p')
  })
})
