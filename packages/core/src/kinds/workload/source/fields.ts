/** What a workload is made of where it is not described by its services: objects that somebody else wrote. */
import { z } from 'zod'
import { absolutePathField, nameField, secondsField } from '../../fields.ts'

/** What is packed may be this large; base64 takes a third more on the way. */
export const longestArchive = 3 * 1024 * 1024
const longestText = 3 * 1024 * 1024

const inVault = 'kept in the vault, and read back as a reference that may be sent again'

export const manifestsFields = z.strictObject({
  text: z
    .string()
    .min(1)
    .max(longestText)
    .describe(`Objects of Kubernetes in YAML, any number of documents; ${inVault}. In a file, files may stand instead`),
})

const repositoryFields = z.strictObject({
  url: z
    .string()
    .max(2048)
    .regex(/^(?:https?|oci):\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/, 'must be https://… or oci://…, without a user in it')
    .describe('Of the repository, or the folder of a registry (oci://…) that the chart is in'),
  name: z
    .string()
    .regex(/^[A-Za-z0-9](?:[-._A-Za-z0-9]{0,126}[A-Za-z0-9])?$/, 'must be the name of a chart, such as nginx')
    .describe('Of the chart'),
  version: z
    .string()
    .max(100)
    .regex(/^[A-Za-z0-9^~<>=*][-+.^~<>=*|, A-Za-z0-9]*$/, 'must be a version, such as 1.2.3')
    .optional()
    .describe('Which one; left out: the newest when a release is installed'),
  credentials: nameField.optional().describe('A Secret of the same tenant with username and password'),
})

export const chartFields = z.strictObject({
  archive: z
    .string()
    .min(1)
    .max(Math.ceil(longestArchive / 3) * 4)
    .regex(/^(?:vault:[0-9a-f]{32}|[A-Za-z0-9+/]+={0,2})$/, 'must be base64')
    .optional()
    .describe(`A packed chart (.tgz) in base64; ${inVault}. In a file, folder or file may stand instead`),
  repository: repositoryFields.optional().describe('Where the chart is fetched from'),
  path: absolutePathField.optional().describe('A folder or archive on the server, where the Provider lets charts be'),
})

/** Text, numbers and booleans, all of which are written as text behind `--set`. */
const setField = z.record(
  z
    .string()
    .max(512)
    .regex(/^[^\s=,]+$/, 'must be the path of a value, such as image.tag'),
  z.union([z.string().max(131_072), z.number().transform(String), z.boolean().transform(String)]),
)

export const helmFields = z.strictObject({
  chart: chartFields.describe('One of archive, repository and path'),
  releaseName: z
    .string()
    .regex(/^[a-z0-9](?:[-a-z0-9]{0,51}[a-z0-9])?$/, 'must be lower case letters, digits and dashes, 53 at most')
    .optional()
    .describe('What Helm calls it; left out: the name of the workload'),
  valuesFiles: z
    .array(z.string().max(1_048_576))
    .max(20)
    .default([])
    .describe(`YAML texts of values, of which later ones win; ${inVault}. In a file these are paths`),
  values: z
    .union([z.string().regex(/^vault:[0-9a-f]{32}$/, 'must be an object'), z.record(z.string(), z.unknown())])
    .default({})
    .describe(`Values over those of the files, given whole; ${inVault}`),
  set: setField.default({}).describe(`Single values over all others, as --set has them; each ${inVault}`),
  wait: z.boolean().default(true).describe('Whether it counts as there only when its objects are ready'),
  atomic: z.boolean().optional().describe('Whether Helm takes back what failed by itself; left out: where it waits'),
  timeoutSeconds: secondsField(1, 3600).default(300).describe('How long Helm may take for one install or upgrade'),
  hooks: z.boolean().default(true).describe('Whether hooks of the chart are run'),
  crds: z.boolean().default(true).describe('Whether custom resource definitions of the chart are installed'),
})

export const sourceFields = z.strictObject({
  manifests: manifestsFields.optional().describe('Objects of Kubernetes as they are'),
  helm: helmFields.optional().describe('A chart of Helm'),
})

export type SourceFields = z.output<typeof sourceFields>
export type HelmFields = z.output<typeof helmFields>
export type ChartSpec = z.output<typeof chartFields>
export type HelmSpec = Omit<HelmFields, 'atomic'> & { atomic: boolean }

/** With everything decided. */
export type SourceSpec = { manifests?: z.output<typeof manifestsFields> | undefined; helm?: HelmSpec | undefined }

export type SourceType = keyof SourceSpec

/** What only who waits can see fail, nobody else can take back. */
export function completeSource({ manifests, helm }: SourceFields): SourceSpec {
  return {
    ...(manifests && { manifests }),
    ...(helm && { helm: { ...helm, atomic: helm.atomic ?? helm.wait } }),
  }
}

/** `undefined`: the workload is described by its services. */
export function sourceType(source: SourceFields | SourceSpec | undefined): SourceType | undefined {
  if (!source) return undefined
  return source.helm ? 'helm' : 'manifests'
}
