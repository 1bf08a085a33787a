/** Valid services as a user may write them. Whatever must be unique in a workload carries the service's number. */
import fc from 'fast-check'
import type { z } from 'zod'
import type { serviceFields } from '../kinds/workload/service.ts'
import {
  arbitraryLabels,
  arbitraryName,
  arbitraryPath,
  arbitraryQuantity,
  arbitraryText,
  sometimes,
} from './arbitrary-fields.ts'

export type ServiceInput = z.input<typeof serviceFields>

const environment = fc.dictionary(
  fc.stringMatching(/^[A-Z_](?:[A-Z0-9_]{0,15}[A-Z0-9])?$/),
  fc.oneof(arbitraryText, fc.integer(), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  { maxKeys: 5, noNullPrototype: true },
)

const resources = sometimes({
  cpu: arbitraryQuantity,
  memory: arbitraryQuantity,
  disk: arbitraryQuantity,
  pids: fc.integer({ min: 1, max: 1000 }),
  gpu: sometimes({ count: fc.integer({ min: 0, max: 8 }), type: fc.constantFrom('', 'any') }),
  bestEffort: fc.boolean(),
})

const timing = sometimes({
  intervalSeconds: fc.integer({ min: 1, max: 60 }),
  timeoutSeconds: fc.integer({ min: 1, max: 60 }),
  successThreshold: fc.integer({ min: 1, max: 5 }),
  failureThreshold: fc.integer({ min: 1, max: 5 }),
  startSeconds: fc.integer({ min: 0, max: 600 }),
  onUnhealthy: fc.constantFrom('drain' as const, 'restart' as const),
})

function ports(serviceAt: number): fc.Arbitrary<NonNullable<ServiceInput['ports']>> {
  const extra = sometimes({
    protocol: fc.constantFrom('http' as const, 'tcp' as const),
    bind: fc.constant('127.0.0.1'),
  })
  return fc
    .array(extra, { maxLength: 3 })
    .map((list) =>
      list.map((port, at) => ({ ...port, name: `p${serviceAt}-${at}`, port: 8000 + serviceAt * 100 + at })),
    )
}

function volumes(serviceAt: number): fc.Arbitrary<NonNullable<ServiceInput['volumes']>> {
  const one = sometimes({ size: arbitraryQuantity, retain: fc.boolean() })
  const type = fc.constantFrom('persistent', 'ephemeral', 'memory', 'host', undefined)
  return fc.array(fc.tuple(one, type, arbitraryPath), { maxLength: 2 }).map((list) =>
    list.map(([volume, kind, path], at) => ({
      ...volume,
      name: `data-${serviceAt}-${at}`,
      path: `/v${at}${path}`,
      ...(kind && { type: kind }),
      ...(kind === 'host' && { source: path }),
    })),
  )
}

const configFiles = fc
  .array(
    fc.oneof(
      fc.jsonValue({ maxDepth: 2 }).map((value) => ({ format: 'json' as const, content: JSON.stringify(value) })),
      environment.map((env) => ({
        format: 'env' as const,
        content: Object.keys(env)
          .map((key) => `${key}=x`)
          .join('\n'),
      })),
      fc.constant({ format: 'yaml' as const, content: 'a: 1\n' }),
      arbitraryText.map((content) => ({ content })),
    ),
    { maxLength: 2 },
  )
  .map((list) => list.map((file, at) => ({ ...file, name: `file-${at}`, path: `/etc/file-${at}` })))

const secrets = fc.array(fc.tuple(arbitraryName, fc.boolean()), { maxLength: 3 }).map((list) =>
  list.map(([name, inFile], at) => ({
    name,
    key: 'value',
    ...(inFile ? { file: `/run/secrets/s${at}` } : { env: `secret_${at}` }),
  })),
)

/** `serviceAt` keeps what must be unique apart; role, name and dependencies are the workload's to give. */
export function arbitraryServiceInput(serviceAt: number): fc.Arbitrary<ServiceInput> {
  const optional = sometimes({
    image: fc.constantFrom('app', 'registry.example/app:1.2', 'app@sha256:0123'),
    imagePullPolicy: fc.constantFrom('always' as const, 'if_not_present' as const, 'never' as const),
    imagePullSecret: arbitraryName,
    command: fc.array(arbitraryText, { maxLength: 3 }),
    args: fc.array(arbitraryText, { maxLength: 3 }),
    workingDir: arbitraryPath,
    user: fc.constantFrom('1000', '1000:1000', 'app', 1000),
    env: environment,
    resources,
    volumes: volumes(serviceAt),
    configFiles,
    secrets,
    annotations: arbitraryLabels,
  })
  const probe = fc.option(fc.tuple(timing, fc.constantFrom('http', 'tcp', 'grpc', 'command')), { nil: undefined })
  return fc.tuple(optional, ports(serviceAt), probe).map(([fields, list, check]) => {
    const port = list[0]?.name
    const service = { ...fields, name: `s${serviceAt}`, ports: list }
    if (!check) return service
    const [when, type] = check
    const how = type === 'command' || port === undefined ? { command: ['true'] } : { [type]: { port } }
    return { ...service, healthCheck: { ...when, ...how } }
  })
}
