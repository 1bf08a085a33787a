import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { noFields } from '../schemas/query.ts'
import { healthSchema, readySchema, versionSchema, whoamiSchema } from '../schemas/server.ts'

const json = 'application/json'
const bare = { method: 'GET', params: noFields, query: noFields, faults: [] } as const

export const server = {
  whoami: endpoint({
    ...bare,
    operation: 'identity.whoami',
    summary: 'Who the caller is, and what they were given',
    path: '/v1/whoami',
    scope: 'none',
    permission: 'signed_in',
    reply: { statuses: [200], type: json, schema: whoamiSchema },
  }),
  version: endpoint({
    ...bare,
    operation: 'server.version',
    summary: 'The version of the server',
    path: '/v1/version',
    scope: 'none',
    permission: 'signed_in',
    reply: { statuses: [200], type: json, schema: versionSchema },
  }),
  health: endpoint({
    ...bare,
    operation: 'server.health',
    summary: 'Whether the process answers at all',
    path: '/healthz',
    scope: 'none',
    permission: 'public',
    reply: { statuses: [200], type: json, schema: healthSchema },
  }),
  ready: endpoint({
    ...bare,
    operation: 'server.ready',
    summary: 'Whether it can do its work, and which part cannot',
    path: '/readyz',
    scope: 'none',
    permission: 'public',
    reply: { statuses: [200, 503], type: json, schema: readySchema },
  }),
  metrics: endpoint({
    ...bare,
    operation: 'server.metrics',
    summary: 'Figures for Prometheus',
    path: '/metrics',
    scope: 'system',
    permission: 'metrics:read',
    reply: { statuses: [200], type: 'text/plain', schema: z.string() },
  }),
  backup: endpoint({
    ...bare,
    operation: 'server.backup',
    summary: 'Everything that is stored as of one moment, as one compressed file; the master key is not in it',
    method: 'POST',
    path: '/v1/backup',
    scope: 'system',
    permission: 'backup:read',
    reply: { statuses: [200], type: 'application/gzip', schema: z.unknown().describe('The bytes of the file') },
    faults: ['unsupported'],
  }),
  openapi: endpoint({
    ...bare,
    operation: 'server.openapi',
    summary: 'This document',
    path: '/openapi.json',
    scope: 'none',
    permission: 'public',
    reply: { statuses: [200], type: json, schema: z.looseObject({ openapi: z.string() }) },
  }),
}
