/** Workloads that use every field that Kubernetes has something for, alone and together. */
import type { Desired } from '../../../desired.ts'
import { desiredOf, type ServiceInput, type SpecInput, web } from './desired.ts'

const http = [{ name: 'http', port: 8080 }]
const side = (name: string, more: Partial<ServiceInput> = {}): ServiceInput => ({
  ...web,
  name,
  role: 'sidecar',
  ...more,
})
const init = (name: string, more: Partial<ServiceInput> = {}): ServiceInput => ({ ...web, name, role: 'init', ...more })
const one = (more: Partial<ServiceInput>): SpecInput => ({ services: [{ ...web, ...more }] })
const longest = (letter: string): string => `${letter}${'-x'.repeat(19)}9`

const specs: Readonly<Record<string, SpecInput>> = {
  'the least there is': {},
  'a port': one({ ports: http }),
  'ports of every protocol': one({
    ports: [
      ...http,
      { name: 'tcp', port: 9000, protocol: 'tcp' },
      { name: 'dns', port: 53, protocol: 'udp' },
      { name: 'dns-tcp', port: 53, protocol: 'tcp' },
    ],
  }),
  'a port of the node': {
    strategy: { type: 'recreate' },
    ...one({ ports: [{ name: 'http', port: 8080, hostPort: 18_080, bind: '0.0.0.0' }] }),
  },
  'a port of the node on IPv6': {
    strategy: { maxSurge: 0 },
    ...one({ ports: [{ name: 'http', port: 8080, hostPort: 18_081, bind: '::' }] }),
  },
  'exposed at nodes': { expose: 'node', ...one({ ports: http }) },
  'exposed by a load balancer': { expose: 'load_balancer', ...one({ ports: http }) },
  'a command with arguments': one({ command: ['sh', '-c', 'echo $(HOME) $$ "$X"'], args: ['', 'two words', '$(A)'] }),
  'arguments alone': one({ args: ['--port', '80'] }),
  'a working folder and a user': one({ workingDir: '/srv/app', user: '1000:1000' }),
  'a user without a group': one({ user: 1000 }),
  root: one({ user: '0:0' }),
  'an environment': one({ env: { A: '1', 'B.c-d': '', MONEY: '$$ $(PATH)', LONG: 'x'.repeat(100_000) } }),
  'every pull policy': {
    services: [
      { ...web, imagePullPolicy: 'always' },
      side('b', { imagePullPolicy: 'never' }),
      side('c', { imagePullPolicy: 'if_not_present' }),
    ],
  },
  'registry accounts': {
    services: [
      { ...web, imagePullSecret: 'registry' },
      side('b', { image: 'registry.invalid:5000/b/c@sha256:'.concat('a'.repeat(64)), imagePullSecret: 'other' }),
    ],
  },
  limits: one({ resources: { cpu: '250m', memory: '64Mi', disk: '1Gi' } }),
  'odd limits': one({ resources: { cpu: '0.0001', memory: '1e9', disk: '1.5Gi' } }),
  'requests alone': one({ requests: { cpu: '50m', memory: '16Mi' } }),
  'requests below limits': one({
    resources: { cpu: 1, memory: '1Gi' },
    requests: { cpu: '0.1', memory: 1_000_000 },
  }),
  'processes, as well as can be': one({ resources: { pids: 100, bestEffort: true } }),
  'graphics processors': one({ resources: { gpu: { count: 2 } } }),
  'other processors': one({ resources: { gpu: { count: 1, type: 'example.com/npu' } } }),
  'a check by http': one({ ports: http, healthCheck: { http: { port: 'http', path: '/healthz?a=b' } } }),
  'a check by tcp': one({ ports: http, healthCheck: { tcp: { port: 'http' }, startSeconds: 0 } }),
  'a check by grpc': one({ ports: http, healthCheck: { grpc: { port: 'http', service: 'a.b/C' } } }),
  'a check by grpc of all': one({ ports: http, healthCheck: { grpc: { port: 'http' } } }),
  'a check by a command': one({ healthCheck: { command: ['test', '-f', '/tmp/$(X)'] } }),
  'a check that restarts': one({
    ports: http,
    healthCheck: {
      http: { port: 'http' },
      intervalSeconds: 3600,
      timeoutSeconds: 3600,
      successThreshold: 100,
      failureThreshold: 100,
      startSeconds: 86_400,
      onUnhealthy: 'restart',
    },
  }),
  'inits in a row': { services: [web, init('one', { dependsOn: [{ service: 'two' }] }), init('two')] },
  'an init with everything': {
    services: [
      web,
      init('migrate', {
        ports: [{ name: 'http', port: 8080 }],
        env: { A: 'b' },
        resources: { cpu: '1' },
        volumes: [{ name: 'v', path: '/v' }],
        configFiles: [{ name: 'c', path: '/c', content: 'c' }],
      }),
    ],
  },
  'awaited sidecars': {
    services: [
      { ...web, dependsOn: [{ service: 'db', until: 'healthy' }, { service: 'proxy' }] },
      side('proxy', { ports: [{ name: 'http', port: 15_000 }], healthCheck: { tcp: { port: 'http' } } }),
      side('db', { ports: http, healthCheck: { tcp: { port: 'http' }, onUnhealthy: 'restart' } }),
      side('late'),
    ],
  },
  'a chain beside main': {
    services: [
      side('c', { dependsOn: [{ service: 'b', until: 'healthy' }] }),
      web,
      side('b', { dependsOn: [{ service: 'a', until: 'started' }], healthCheck: { command: ['true'] } }),
      side('a'),
    ],
  },
  'somebody who waits for main': {
    services: [
      { ...web, ports: http, healthCheck: { http: { port: 'http' } } },
      side('b', { dependsOn: [{ service: 'web', until: 'healthy' }] }),
    ],
  },
  'the same port name twice': {
    services: [
      { ...web, ports: http },
      side('b', { ports: [{ name: 'http', port: 8081 }] }),
      side('b-c', { ports: [{ name: 'http', port: 8082 }] }),
    ],
  },
  'passing volumes': {
    services: [
      {
        ...web,
        volumes: [
          { name: 'a', path: '/a', size: '1Gi' },
          { name: 'b', path: '/b/', type: 'memory', size: '64Mi' },
          { name: 'c', path: '/c' },
        ],
      },
      side('s', { volumes: [{ name: 'a', path: '/elsewhere', size: '1Gi' }] }),
    ],
  },
  'a folder of the node': one({
    volumes: [{ name: 'h', path: '/h', type: 'host', source: '/srv/shared/x', size: '1Gi' }],
  }),
  'files of every kind': one({
    configFiles: [
      { name: 'app', path: '/etc/app/app.json', format: 'json', content: '{"a": 1}', mode: '0440' },
      { name: 'text', path: '/etc/app/text', content: 'ünï\n', mode: '0777' },
      { name: 'empty', path: '/etc/empty', content: '' },
    ],
    secrets: [
      { name: 'db', key: 'url', env: 'DATABASE_URL' },
      { name: 'db', key: 'cert', file: '/run/secrets/cert' },
    ],
  }),
  'many large files': {
    services: ['web', 'b'].map((name) => ({
      ...(name === 'web' ? web : side(name)),
      configFiles: [1, 2, 3].map((at) => ({ name: `f${at}`, path: `/f${at}`, content: 'x'.repeat(600_000) })),
    })),
  },
  'a file of the largest size': one({ configFiles: [{ name: 'f', path: '/f', content: 'x'.repeat(1_048_576) }] }),
  annotations: one({ annotations: { 'example.com/note': 'a note\nof two lines', plain: 'ü' } }),
  'several replicas': { replicas: 3, ...one({ ports: http }) },
  'none at all': { replicas: 0 },
  stopped: { replicas: 3, run: 'stopped' },
  recreate: { replicas: 2, strategy: { type: 'recreate', minReadySeconds: 3600 } },
  'a wide step': { replicas: 5, strategy: { maxSurge: 3, maxUnavailable: 2, minReadySeconds: 0 } },
  'no grace': { stopGraceSeconds: 0, ...one({ ports: http }) },
  'a long grace': { stopGraceSeconds: 3600 },
  'a stateful set': { type: 'stateful_set', replicas: 2, ...one({ ports: http }) },
  'a stateful set without ports': { type: 'stateful_set' },
  'a stateful set with volumes': {
    type: 'stateful_set',
    replicas: 3,
    strategy: { type: 'recreate' },
    services: [
      {
        ...web,
        user: '999:999',
        volumes: [
          { name: 'data', path: '/data', size: '1Gi' },
          { name: 'logs', path: '/logs', retain: false },
          { name: 'tmp', path: '/tmp', type: 'ephemeral' },
        ],
      },
      side('backup', { volumes: [{ name: 'data', path: '/data', size: '1Gi' }] }),
    ],
    engine: { kubernetes: { storageClass: 'gantry-rig' } },
  },
  'a deployment with volumes': {
    replicas: 2,
    strategy: { maxSurge: 0, maxUnavailable: 2 },
    ...one({ volumes: [{ name: 'data', path: '/data', type: 'persistent' }] }),
  },
  'wishes to the scheduler': {
    engine: {
      kubernetes: {
        serviceAccount: 'builder',
        nodeSelector: { 'kubernetes.io/os': 'linux', disk: 'fast' },
        tolerations: [
          { operator: 'Exists' },
          { key: 'dedicated', value: 'web', effect: 'NoSchedule' },
          { key: 'dedicated', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 },
        ],
      },
    },
  },
  'names as long as they may be': {
    type: 'stateful_set',
    replicas: 2,
    services: [
      {
        ...web,
        name: longest('m'),
        ports: [{ name: 'x'.repeat(15), port: 8080 }],
        volumes: [{ name: longest('v'), path: '/v' }],
        configFiles: [{ name: longest('c'), path: '/c', content: 'c' }],
        secrets: [{ name: longest('s'), key: 'k', env: `E${'_'.repeat(254)}E` }],
        imagePullSecret: longest('p'),
      },
      side(longest('s'), { ports: [{ name: 'x'.repeat(15), port: 8081 }] }),
    ],
  },
}

const long: Partial<Desired> = {
  ref: { tenant: longest('t'), workload: longest('w'), uid: '0192f6b0-7d1c-7000-8000-000000000000', slot: 'b' },
  labels: { team: 'web', [`${'a.'.repeat(126)}a/x`]: 'y'.repeat(63) },
  release: 'v1234567',
}

/** By what is special about each. */
export const corpus: ReadonlyMap<string, Desired> = new Map(
  Object.entries(specs).map(([title, spec]) => [
    title,
    desiredOf(spec, title === 'names as long as they may be' ? long : { labels: { team: 'web' } }),
  ]),
)
