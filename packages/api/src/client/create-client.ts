import { endpoints } from '../endpoints/table.ts'
import { type Client, type ClientOptions, clientOver } from './client.ts'

/** The typed client. Every answer is checked against what its endpoint promises. */
export function createClient(options: ClientOptions): Client {
  return clientOver(endpoints, options)
}
