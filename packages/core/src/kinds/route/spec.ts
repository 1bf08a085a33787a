/** Hosts and paths of a user's own, and the workload that answers there. */
import { z } from 'zod'
import { nameField, portNameField } from '../fields.ts'

export const hostField = z
  .string()
  .max(253)
  .regex(
    /^(?:[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/,
    'must be a host name in lower case, without scheme, port or wildcard, for example shop.example.com',
  )

export const pathField = z
  .string()
  .max(1024)
  .regex(
    /^\/(?:(?!\.{1,2}(?:\/|$))[-A-Za-z0-9._~!$&'()*+,;=:@%]+(?:\/(?!\.{1,2}(?:\/|$))[-A-Za-z0-9._~!$&'()*+,;=:@%]+)*\/?)?$/,
    'must begin with / and have no empty, "." or ".." parts, for example /api',
  )

export const routeFields = z.strictObject({
  workload: nameField.describe('Who answers: a workload of the same tenant'),
  port: portNameField.optional().describe('One of its http ports, by name; left out: the first of its main service'),
  hosts: z.array(hostField).min(1).max(50).describe('The names that it answers at'),
  paths: z
    .array(pathField)
    .min(1)
    .max(50)
    .default(['/'])
    .describe('Beginnings of paths, up to the end of a part; the longest that fits wins'),
})

export type RouteInput = z.input<typeof routeFields>
export type RouteSpec = z.output<typeof routeFields>
