/** The environment every engine tells a service: the user's, its secrets, and where ports are. */
import type { DesiredService } from './desired.ts'

/** The number that a service is reached at by its siblings, and itself listens on. */
export type PortNumber = (service: string, port: { readonly name: string; readonly port: number }) => number

/**
 * `PORT` (the first), `PORT_<NAME>`, and `GANTRY_PORT_<SERVICE>_<NAME>` of every service of the replica. What a user
 * sets wins over `PORT` and `PORT_*`, never over `GANTRY_*`.
 */
export function environmentOf(
  service: DesiredService,
  siblings: readonly DesiredService[],
  numberOf: PortNumber = (_service, { port }) => port,
): Record<string, string> {
  const env: Record<string, string> = {}
  const [first] = service.ports
  if (first) env.PORT = String(numberOf(service.name, first))
  for (const port of service.ports) env[`PORT_${shout(port.name)}`] = String(numberOf(service.name, port))
  Object.assign(env, service.env)
  for (const secret of service.secrets) if (secret.env !== undefined) env[secret.env] = secret.value.reveal()
  for (const { name, ports } of siblings) {
    for (const port of ports) env[`GANTRY_PORT_${shout(name)}_${shout(port.name)}`] = String(numberOf(name, port))
  }
  return env
}

const shout = (name: string): string => name.toUpperCase().replaceAll('-', '_')
