/** What is done with pods alone: their logs, commands in them, connections to them. */
import { type Call, Fault } from '@gantry/core'
import type { ContainerAt, PodLogRange, PodsApi } from './api.ts'
import { chunksOf } from './body.ts'
import { checkRuns, type PodState } from './container-runs.ts'
import { unreachable } from './faults.ts'
import { followLogs } from './follow-logs.ts'
import { podPath } from './paths.ts'
import { forwardProtocols, podConnection } from './pod-connection.ts'
import { commandProtocols, podStream } from './pod-stream.ts'
import { jsonOf } from './questions.ts'
import { query, type Wire } from './wire.ts'

export function podsApi(wire: Wire, { as }: { readonly as: string }): PodsApi {
  const { server } = wire

  /** The server takes a command before it has looked at the container, so we look. */
  async function command(at: ContainerAt, verb: 'exec' | 'attach', asked: string, call: Call) {
    checkRuns(await jsonOf<PodState>(wire, { method: 'GET', path: podPath(at) }, call), at.container)
    const path = podPath(at, verb) + asked
    const socket = await wire.socket(path, commandProtocols, call)
    return podStream(socket, { server, as, what: `${verb} in ${at.container} of ${at.namespace}/${at.pod}` }, call)
  }

  return {
    async logs(at, which, call) {
      if (which.follow) return followLogs(wire, at, which, call)
      const path = logPath(at, which)
      const message = await wire.open({ method: 'GET', path }, call)
      return chunksOf(message, call, (cause) => unreachable(server, path, cause))
    },
    exec: (at, { argv, stdin, tty }, call) => {
      if (argv.length === 0) throw new Fault('engine_rejected', 'A command has at least one word')
      const words = argv.map((word) => `&command=${encodeURIComponent(word)}`).join('')
      return command(at, 'exec', streams(at, { stdin, tty }) + words, call)
    },
    attach: (at, how, call) => command(at, 'attach', streams(at, how), call),
    async portForward({ namespace, pod }, port, call) {
      const path = podPath({ namespace, pod }, 'portforward') + query({ ports: port })
      const socket = await wire.socket(path, forwardProtocols, call)
      return podConnection(socket, { server, what: `port ${port} of ${namespace}/${pod}` }, call)
    },
  }
}

/** A terminal has one output only. */
function streams(
  { container }: ContainerAt,
  { stdin, tty }: { readonly stdin: boolean; readonly tty: boolean },
): string {
  return query({ container, stdin, stdout: true, stderr: !tty, tty })
}

export function logPath(at: ContainerAt, which: PodLogRange): string {
  const { follow, timestamps, previous, since, tail, limitBytes, stream } = which
  return (
    podPath(at, 'log') +
    query({
      container: at.container,
      follow: follow || undefined,
      timestamps: timestamps || undefined,
      previous: previous || undefined,
      sinceTime: since?.toISOString(),
      tailLines: tail,
      limitBytes,
      stream,
    })
  )
}
