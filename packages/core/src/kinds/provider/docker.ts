/** A Docker Engine as a Provider says it: where it listens, what it is spoken to with, and what it may take. */
import { z } from 'zod'
import { absolutePathField, nameField } from '../fields.ts'

export const usualDockerEndpoint = 'unix:///var/run/docker.sock'

/** What a Secret has to have under which name, in PEM, to be a certificate for an engine. */
export const tlsValues = ['ca', 'cert', 'key'] as const

const endpointField = z
  .string()
  .max(1024)
  .regex(
    /^(?:unix:\/\/(?:\/(?!\.{1,2}(?:\/|$))[^/\s]+)+|tcp:\/\/(?:\[[0-9A-Fa-f:]+\]|[A-Za-z0-9](?:[-.A-Za-z0-9]*[A-Za-z0-9])?)(?::[0-9]{1,5})?)$/,
    'must be unix:///path/to/socket or tcp://host:port',
  )

/** Where a certificate lies: never in the Provider itself, which everybody may read who may look at the installation. */
export const tlsFields = z.strictObject({
  secret: nameField.describe('The Secret with the values ca, cert and key, each in PEM'),
  tenant: nameField.default('default').describe('Whose Secret that is'),
})

export const dockerFields = z.strictObject({
  endpoint: endpointField
    .default(usualDockerEndpoint)
    .describe('Where it listens, as the server sees it: unix:///path/to/socket or tcp://host:port'),
  tls: tlsFields.optional().describe('The certificate for an engine on tcp; needed for any other machine'),
  subnets: z
    .string()
    .regex(
      /^(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\.){3}(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\/(?:[89]|1[0-9]|2[0-4])$/,
      'must be a range of IPv4 addresses from /8 to /24, such as 10.120.0.0/16',
    )
    .optional()
    .describe('The range that the networks of tenants get their own /24 from; left out: 10.120.0.0/14'),
  hostFolders: z
    .array(absolutePathField)
    .max(100)
    .optional()
    .describe('Folders of its machine that volumes of type host may be in or below; left out: none'),
  config: absolutePathField
    .optional()
    .describe(
      "The folder of Docker's own settings on the server, whose registry accounts are used for whoever names none; left out: none",
    ),
})

export type DockerSettings = z.output<typeof dockerFields>
