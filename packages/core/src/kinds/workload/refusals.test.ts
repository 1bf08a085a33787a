import { describe, expect, it } from 'vitest'
import { workloadKind } from './workload.ts'

const least = (spec: object = {}) => ({
  apiVersion: 'gantry/v1',
  kind: 'Workload',
  metadata: { name: 'hello' },
  spec: { services: [{ name: 'web' }], ...spec },
})

describe('the fields of a workload', () => {
  it.each<[string, object, string, RegExp]>([
    ['a misspelt field', { replica: 2 }, 'spec.replica', /did you mean "replicas"/],
    ['a field of nothing', { colour: 'red' }, 'spec.colour', /there are provider, type, replicas/],
    ['autoscale', { autoscale: {} }, 'spec.autoscale', /reserved/],
    ['hooks', { hooks: { beforeDeploy: [] } }, 'spec.hooks', /reserved/],
    ['jobs', { jobs: [] }, 'spec.jobs', /reserved/],
    ['cron', { cron: 'x' }, 'spec.cron', /reserved/],
    ['Argo CD', { services: [], source: { argo: {} } }, 'spec.source.argo', /reserved/],
    [
      'files of a machine',
      { services: [], source: { manifests: { text: 'a', files: [] } } },
      'spec.source.manifests.files',
      /reads f/,
    ],
    ['a wish to an engine', { engine: { docker: {} } }, 'spec.engine.docker', /reserved/],
    ['a wish to no engine', { engine: { mainframe: {} } }, 'spec.engine.mainframe', /there are kubernetes/],
    ['a wish nobody knows', { engine: { kubernetes: { nodes: 2 } } }, 'spec.engine.kubernetes.nodes', /serviceAccount/],
    [
      'a service account in capitals',
      { engine: { kubernetes: { serviceAccount: 'Web' } } },
      'spec.engine.kubernetes.serviceAccount',
      /lower case/,
    ],
    [
      'an effect of no taint',
      { engine: { kubernetes: { tolerations: [{ key: 'a', effect: 'Never' }] } } },
      'spec.engine.kubernetes.tolerations[0].effect',
      /NoSchedule/,
    ],
    ['replicas as text', { replicas: '2' }, 'spec.replicas', /must be a whole number|must be a number/],
    ['part of a replica', { replicas: 1.5 }, 'spec.replicas', /a whole number/],
    ['fewer than none', { replicas: -1 }, 'spec.replicas', /at least 0/],
    ['nothing', { replicas: null }, 'spec.replicas', /is empty; write .*, or leave it out/],
    ['another type', { type: 'deploymnt' }, 'spec.type', /did you mean "deployment"/],
    ['no services', { services: [] }, 'spec.services', /at least 1 entry, where there is no source/],
    ['services as an object', { services: {} }, 'spec.services', /must be a list, not an object/],
    ['a run of its own', { run: 'paused' }, 'spec.run', /one of running, stopped/],
  ])('are refused with their path: %s', (_, spec, path, message) => {
    expect(workloadKind.check(least(spec))).toEqual([{ path, message: expect.stringMatching(message) }])
  })

  const service: [string, object, string, RegExp][] = [
    ['a name in capitals', { name: 'Web' }, 'name', /lower case/],
    ['no name', { name: undefined }, 'name', /is required/],
    ['an image that is an option', { image: '--privileged' }, 'image', /image reference/],
    ['an image with a space', { image: 'a b' }, 'image', /image reference/],
    [
      'a number in a command',
      { command: ['sleep', 30] },
      'command[1]',
      /must be text, not the number 30; write it in quotes/,
    ],
    ['a relative working folder', { workingDir: 'app' }, 'workingDir', /absolute/],
    ['a working folder above', { workingDir: '/srv/../etc' }, 'workingDir', /absolute/],
    ['a working folder with a line end', { workingDir: '/srv\n/../etc' }, 'workingDir', /absolute/],
    ['a dot as a folder', { workingDir: '/srv/./etc' }, 'workingDir', /absolute/],
    ['two slashes', { workingDir: '/srv//etc' }, 'workingDir', /absolute/],
    ['a volume over everything', { volumes: [{ name: 'a', path: '/' }] }, 'volumes[0].path', /below \//],
    ['a user with a space', { user: 'a b' }, 'user', /user/],
    ['a list in the environment', { env: { A: [] } }, 'env.A', /must be text or a number or true or false, not a list/],
    ['an environment name with a space', { env: { 'A B': '1' } }, 'env["A B"]', /letters, digits/],
    ['an environment name that ends in a dash', { env: { 'A-': '1' } }, 'env.A-', /letters, digits/],
    ['a port beyond all ports', { ports: [{ name: 'http', port: 70_000 }] }, 'ports[0].port', /at most 65535/],
    ['a long port name', { ports: [{ name: 'x'.repeat(16), port: 1 }] }, 'ports[0].name', /15 characters/],
    [
      'a bind that is no address',
      { ports: [{ name: 'a', port: 1, bind: 'localhost' }] },
      'ports[0].bind',
      /IP address/,
    ],
    ['a memory in megabytes', { resources: { memory: '64MB' } }, 'resources.memory', /64Mi/],
    ['a negative cpu', { resources: { cpu: -1 } }, 'resources.cpu', /at least 0/],
    ['a cpu finer than a billionth', { resources: { cpu: '1e-12' } }, 'resources.cpu', /quantity/],
    [
      'a mode without its zero',
      { configFiles: [{ name: 'a', path: '/a', content: '', mode: '444' }] },
      'configFiles[0].mode',
      /octal/,
    ],
    [
      'a mode as a number',
      { configFiles: [{ name: 'a', path: '/a', content: '', mode: 444 }] },
      'configFiles[0].mode',
      /in quotes/,
    ],
    ['a probe that is misspelt', { healthCheck: { htttp: {} } }, 'healthCheck.htttp', /did you mean "http"/],
    [
      'a probe path without a slash',
      { healthCheck: { http: { port: 'a', path: 'x' } } },
      'healthCheck.http.path',
      /begin with \//,
    ],
  ]
  it.each(service)('of a service are refused with their path: %s', (_, fields, path, message) => {
    const issues = workloadKind.check(least({ services: [{ name: 'web', ...fields }] }))
    expect(issues[0]).toEqual({ path: `spec.services[0].${path}`, message: expect.stringMatching(message) })
  })

  it('are all refused at once', () => {
    const paths = workloadKind
      .check({
        apiVersion: 'v2',
        kind: 'Workload',
        metadata: { name: 'Bad', lables: {} },
        spec: { replica: 1, services: [{ name: 'web', ports: [{ name: 'http', prot: 1, port: 'x' }], rol: 'init' }] },
      })
      .map(({ path }) => path)
    expect(paths.toSorted()).toEqual(
      [
        'apiVersion',
        'metadata.lables',
        'metadata.name',
        'spec.replica',
        'spec.services[0].ports[0].port',
        'spec.services[0].ports[0].prot',
        'spec.services[0].rol',
      ].toSorted(),
    )
  })
})
