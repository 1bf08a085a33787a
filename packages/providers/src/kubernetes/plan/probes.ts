/**
 * Pure: a health check in the kubelet's words. It says when a service is up and whether it may get requests; it ends nothing
 * unless `onUnhealthy: restart` asks for that.
 */
import type { HealthCheckSpec, PortSpec } from '@gantry/core'
import type { Container, Probe, ProbeAction } from '../api/types/pods.ts'

export type Probes = Pick<Container, 'startupProbe' | 'readinessProbe' | 'livenessProbe'>

/** As often as the kubelet looks at all. */
const quickSeconds = 1

/** A startup probe that has failed this often ends the container, which nobody has asked for. */
const never = 2_147_483_647

export type ProbedService = { readonly healthCheck?: HealthCheckSpec | undefined; readonly ports: readonly PortSpec[] }

/**
 * `gate`: whoever comes next in the row may only start when this one is healthy. One in the `row` that is no gate has no
 * startup probe, or it would be one.
 */
export function probesOf({ healthCheck, ports }: ProbedService, place: 'beside' | 'row' | 'gate'): Probes {
  if (!healthCheck) return {}
  const action = actionOf(healthCheck, ports)
  const { intervalSeconds, timeoutSeconds, successThreshold, failureThreshold, startSeconds, onUnhealthy } = healthCheck
  const common = { ...action, periodSeconds: intervalSeconds, timeoutSeconds, failureThreshold }
  const restarts = onUnhealthy === 'restart'
  const hasStartup = place !== 'row'
  const startup: Probe = {
    ...action,
    periodSeconds: quickSeconds,
    timeoutSeconds,
    successThreshold: 1,
    failureThreshold: restarts ? Math.max(1, Math.ceil(startSeconds / quickSeconds)) : never,
  }
  const liveness: Probe = {
    ...common,
    successThreshold: 1,
    ...(hasStartup || startSeconds === 0 ? {} : { initialDelaySeconds: startSeconds }),
  }
  return {
    ...(hasStartup ? { startupProbe: startup } : {}),
    readinessProbe: { ...common, successThreshold },
    ...(restarts ? { livenessProbe: liveness } : {}),
  }
}

function actionOf({ http, tcp, grpc, command }: HealthCheckSpec, ports: readonly PortSpec[]): ProbeAction {
  const number = (name: string): number => ports.find((port) => port.name === name)?.port ?? 0
  if (http) return { httpGet: { port: number(http.port), path: http.path, scheme: 'HTTP' } }
  if (tcp) return { tcpSocket: { port: number(tcp.port) } }
  if (grpc) return { grpc: { port: number(grpc.port), service: grpc.service } }
  return { exec: { command: command ?? [] } }
}
