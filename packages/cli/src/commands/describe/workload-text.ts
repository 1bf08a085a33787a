/** Pure: what is said of a workload beside what is said of any object. */
import type { ReplicaList } from '@gantry/api'
import type { ChartSpec, ObjectOf, ServiceSpec } from '@gantry/core'
import type { AnyObject } from '../../objects/access.ts'
import { age } from '../../output/age.ts'
import { type Field, fieldLines, indented, moment, section } from '../../output/sections.ts'
import { type Cell, clean, table } from '../../output/table.ts'
import type { Frame, Inside } from './object-text.ts'
import type { InsideWorkload, Wrote } from './workload-look.ts'

export function workloadText(object: AnyObject, { replicas, rollout, wrote }: InsideWorkload, frame: Frame): Inside {
  const { spec } = object as ObjectOf<'Workload'>
  return {
    spec: specLines(spec),
    parts: [
      section('Rollout', rollout ? rolloutLines(rollout, frame.now) : ''),
      section('Replicas', replicaTable(replicas, frame)),
      ...wrote.map((one) => section(lastLinesTitle(one), lastLines(one))),
    ].join(''),
  }
}

function specLines({
  type,
  replicas,
  run,
  provider,
  strategy,
  services,
  source,
  dependsOn,
}: ObjectOf<'Workload'>['spec']): string {
  const fields: Field[] = [
    source
      ? ['Made of', sourceInWords(source)]
      : [
          'Runs',
          `${replicas} ${replicas === 1 ? 'replica' : 'replicas'} as a ${type}${run === 'stopped' ? ', stopped' : ''}`,
        ],
    ['On', provider ?? 'the default provider'],
    ['Strategy', `${strategy.type}, ${strategy.onFailure} on failure`],
    ['After', dependsOn.map(({ workload }) => `workload/${workload}`).join(', ') || undefined],
  ]
  return (
    fieldLines(fields) +
    services.map((service) => `Service ${service.name}:\n${indented(serviceLines(service))}`).join('')
  )
}

/** Never what is in it, which is a reference here. */
function sourceInWords({ helm }: NonNullable<ObjectOf<'Workload'>['spec']['source']>): string {
  if (!helm) return 'manifests'
  const { chart, releaseName, valuesFiles, set } = helm
  const files = valuesFiles.length === 0 ? '' : `, with ${valuesFiles.length} of values`
  const single = Object.keys(set).length === 0 ? '' : `, ${Object.keys(set).join(', ')} set`
  return `${chartInWords(chart)}${releaseName === undefined ? '' : ` as ${releaseName}`}${files}${single}`
}

function chartInWords({ repository, path }: ChartSpec): string {
  if (path !== undefined) return `the chart at ${path} of the server`
  if (!repository) return 'a chart that was sent'
  const { name, version, url } = repository
  return `the chart ${name}${version === undefined ? '' : ` ${version}`} of ${url}`
}

function serviceLines(service: ServiceSpec): string {
  const { role, image, command = [], args = [], ports, env, healthCheck, volumes, configFiles, secrets } = service
  const line = [...command, ...args].map(short).join(' ')
  return fieldLines([
    ['Role', role],
    ['Image', image],
    ['Command', line === '' ? undefined : line],
    ['Ports', ports.map(({ name, port, protocol }) => `${name} ${port}/${protocol}`).join(', ') || undefined],
    ['Environment', Object.keys(env).join(', ') || undefined],
    ['Health', healthCheck && healthInWords(healthCheck)],
    ['Volumes', volumes.map(({ name, path, type }) => `${name} at ${path} (${type})`).join(', ') || undefined],
    ['Files', configFiles.map(({ path }) => path).join(', ') || undefined],
    ['Secrets', secrets.map(({ name, key }) => `${name}/${key}`).join(', ') || undefined],
  ])
}

/** A program can travel in an argument; a person wants to see that there is one. */
function short(word: string): string {
  const line = clean(word).trim()
  return line.length > 60 ? `${line.slice(0, 57)}…` : line
}

function healthInWords({ http, tcp, grpc, command, intervalSeconds }: NonNullable<ServiceSpec['healthCheck']>): string {
  const how = http
    ? `GET ${http.path} on port ${http.port}`
    : tcp
      ? `connection to port ${tcp.port}`
      : grpc
        ? `gRPC on port ${grpc.port}`
        : (command ?? []).map(short).join(' ')
  return `${how}, every ${intervalSeconds}s`
}

function rolloutLines({ metadata, spec, status }: ObjectOf<'Rollout'>, now: number): string {
  const { phase = 'pending', waitingFor, since, startedAt, endedAt, failure } = status
  return fieldLines([
    ['Newest', `${metadata.name}, ${spec.strategy.type} to v${spec.release}: ${phase}`],
    ['Because', spec.message],
    ['Asked by', spec.createdBy],
    ['Started', moment(startedAt, now)],
    ['Ended', moment(endedAt, now)],
    ['Waiting for', waitingFor === undefined ? undefined : `${waitingFor}${since ? `, since ${age(since, now)}` : ''}`],
    [
      'Failed',
      failure && `${failure.message}${failure.exitCode === undefined ? '' : ` (exit code ${failure.exitCode})`}`,
    ],
    ['It wrote', failure?.logTail && failure.logTail.length > 0 ? failure.logTail.join('\n') : undefined],
  ])
}

function replicaTable({ items, blind }: ReplicaList, { now, style }: Frame): string {
  const rows = items.flatMap(({ index, slot, release, terminating, services }) =>
    Object.entries(services).map(([name, service]): Cell[] => {
      const { phase, ready, restarts, exitCode, startedAt, message } = service
      const state = terminating ? `${phase}, leaving` : phase
      return [
        `${slot}/${index}`,
        name,
        release,
        { text: state, paint: phase === 'crashed' ? style.bad : (one) => one },
        ready === undefined ? 'unknown' : ready ? 'yes' : 'no',
        String(restarts),
        exitCode === undefined ? '-' : String(exitCode),
        age(startedAt, now),
        message ?? '',
      ]
    }),
  )
  const titles = ['REPLICA', 'SERVICE', 'RELEASE', 'STATE', 'READY', 'RESTARTS', 'EXIT', 'UP', 'MESSAGE']
  const unseen = Object.entries(blind).map(
    ([slot, { message, since }]) =>
      `Slot ${slot} cannot be looked at since ${moment(since, now)}: ${message}. This is how it was before.\n`,
  )
  return (rows.length === 0 ? 'none\n' : table(titles, rows)) + unseen.join('')
}

function lastLinesTitle({ service, replica, slot }: Wrote): string {
  return `Last lines of ${service} in replica ${slot}/${replica}`
}

function lastLines(wrote: Wrote): string {
  if ('why' in wrote) return `could not be read: ${wrote.why}\n`
  return wrote.lines.length === 0 ? 'it wrote nothing\n' : wrote.lines.map((one) => `${clean(one)}\n`).join('')
}
