/**
 * The same client without schemas, for programs that start often and end soon: loading the schemas takes longer than most
 * of what a command does. Answers are not checked against what is promised, beyond status, type and being JSON.
 */
import { type Client, type ClientOptions, clientOver } from '../client/client.ts'
import type { Endpoints } from '../endpoints/table.ts'
import { endpointOver } from './wire-endpoint.ts'
import { wireTable } from './wire-table.generated.ts'

export function createLightClient(options: ClientOptions): Client {
  const groups = Object.entries(wireTable).map(([name, group]) => [
    name,
    Object.fromEntries(Object.entries(group).map(([verb, wire]) => [verb, endpointOver(wire)])),
  ])
  // The table is generated from the endpoints, and a rule holds that it is fresh.
  return clientOver(Object.fromEntries(groups) as unknown as Endpoints, options)
}
