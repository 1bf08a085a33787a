/** A Kubernetes cluster as a Provider says it: how it is spoken to, where its objects go, and who may leave their place. */
import { z } from 'zod'
import { absolutePathField, labelsField, nameField } from '../fields.ts'
import { secretKeyField } from '../secret/key.ts'

/** The value that a Secret has a kubeconfig under, unless the Provider says another. */
export const kubeconfigKey = 'kubeconfig'

/** As Kubernetes has it, which is longer than names of ours. */
export const namespaceField = z
  .string()
  .regex(
    /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/,
    'must be lower case letters, digits and dashes, 63 at most, as namespaces are named',
  )

/** Of an object in the cluster, which may also have dots. */
const objectNameField = z
  .string()
  .max(253)
  .regex(
    /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/,
    'must be lower case letters, digits, dashes and dots, as objects of Kubernetes are named',
  )

/** What names of images begin with. */
const registryHostField = z
  .string()
  .max(255)
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(?::\d{1,5})?$/,
    'must be a host, with its port where names of images have one',
  )

/** Never the file itself: everybody may read a Provider who may look at the installation. */
const kubeconfigFields = z.strictObject({
  path: absolutePathField
    .optional()
    .describe('A file on the server; its exec plugins and files are run and read there'),
  secret: z
    .strictObject({
      name: nameField.describe('The Secret that has it'),
      tenant: nameField.default('default').describe('Whose Secret that is'),
      key: secretKeyField.default(kubeconfigKey).describe('Which of its values'),
    })
    .optional()
    .describe('A file in the vault, with everything that it needs in it'),
})

const allowFields = z.strictObject({
  clusterScoped: z
    .array(z.union([nameField, z.literal('*')]))
    .max(1000)
    .default([])
    .describe('Tenants whose manifests and charts may have objects that are in no namespace; "*": everybody'),
  namespaces: z
    .record(nameField, z.array(namespaceField).min(1).max(100))
    .default({})
    .describe('By tenant: namespaces beside its own that objects of its manifests and charts may be in'),
})

export const reaches = ['auto', 'direct', 'tunnel'] as const

export const kubernetesFields = z.strictObject({
  kubeconfig: kubeconfigFields
    .optional()
    .describe('Left out: the pod that the server runs in, else what GANTRY_K8S_KUBECONFIG, KUBECONFIG or ~/.kube say'),
  context: z
    .string()
    .max(512)
    .regex(/^\S(?:[^\t\n\r]*\S)?$/, 'must be the name of a context, in one line')
    .optional()
    .describe('Of the kubeconfig; left out: its current one'),
  inCluster: z
    .boolean()
    .optional()
    .describe('true: the account of the pod that the server runs in, and nothing else is tried'),
  namespace: namespaceField.optional().describe('One for all tenants; left out: each has its own'),
  namespacePrefix: z
    .string()
    .regex(/^[a-z0-9](?:[-a-z0-9]{0,18}[a-z0-9])?$/, 'must be lower case letters, digits and dashes, 20 at most')
    .optional()
    .describe("What the names of tenants' namespaces begin with; left out: gantry"),
  labels: labelsField.optional().describe('On every object that is made there, beside its own'),
  imagePullSecrets: z
    .array(objectNameField)
    .max(20)
    .optional()
    .describe('Secrets of the cluster, in the namespace of the pods, that images are fetched with'),
  insecureRegistries: z
    .array(registryHostField)
    .max(100)
    .optional()
    .describe('Registries that the server asks for images and charts without TLS; those of its own machine always are'),
  hostFolders: z
    .array(absolutePathField)
    .max(100)
    .optional()
    .describe('Folders of its nodes that volumes of type host may be in or below; left out: none'),
  chartFolders: z
    .array(absolutePathField)
    .max(100)
    .optional()
    .describe('Folders of the server that charts named by path may be in or below; left out: none'),
  drainSeconds: z
    .int()
    .min(0)
    .max(300)
    .default(6)
    .describe('How long a pod still answers after it began to leave, so that nobody is cut off; 0: not at all'),
  helm: absolutePathField.optional().describe('The program on the server; left out: the helm of its PATH'),
  allow: allowFields.optional().describe('Who may leave the namespace of its tenant, with manifests and charts'),
  reach: z
    .enum(reaches)
    .default('auto')
    .describe('How services are reached from the server: at their addresses, through the API, or as it turns out'),
})

export type KubernetesSettings = z.output<typeof kubernetesFields>
