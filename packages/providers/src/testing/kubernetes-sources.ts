/** Something written by others, for the contract: a Deployment as it is, and a chart of one. */
import type { Harness } from '../contract/harness.ts'
import type { KubernetesApi } from '../kubernetes/api/api.ts'
import { resources } from '../kubernetes/api/resources.ts'
import { chartFile, packChart } from '../kubernetes/helm/testing/charts.ts'
import type { Ref } from '../ref.ts'
import { busyboxPrograms } from './busybox-programs.ts'

const call = { signal: new AbortController().signal }

const program = JSON.stringify(busyboxPrograms.program({ prints: [{ stream: 'stdout', line: 'up' }] }))

/** `name` and `text` as they stand in YAML. */
const deployment = (name: string, text: string, image: string): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: 1
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      terminationGracePeriodSeconds: 1
      containers:
        - name: web
          image: ${image}
          imagePullPolicy: IfNotPresent
          command: ${program}
          env: [{ name: TEXT, value: ${text} }]
`

type Place = { readonly api: KubernetesApi; readonly image: string; readonly namespaceOf: (ref: Ref) => string }

const kinds = [resources.deployment, resources.pod, resources.configMap, resources.secret, resources.service]

export const kubernetesSources = ({ api, image, namespaceOf }: Place): NonNullable<Harness['sources']> => ({
  async left(ref) {
    const namespace = namespaceOf(ref)
    const which = { metadataOnly: true }
    const lists = await Promise.all(kinds.map((resource) => api.objects.list({ resource, namespace }, which, call)))
    const names = lists.flatMap(({ items }) => items.map(({ kind, metadata }) => `${kind}/${metadata.name}`))
    // The cluster puts it into every namespace.
    return names.filter((name) => !name.endsWith('/kube-root-ca.crt'))
  },
  async manifests(text) {
    const config = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: set-${text} }\ndata: { text: "${text}" }\n`
    return { text: `${deployment('set-web', JSON.stringify(text), image)}---\n${config}` }
  },
  async helm(text) {
    const files = {
      'Chart.yaml': chartFile('web'),
      'values.yaml': 'text: hello\n',
      'templates/deployment.yaml': deployment('{{ .Release.Name }}', '{{ .Values.text | quote }}', image),
    }
    const archive = Buffer.from(packChart('web', files)).toString('base64')
    return { chart: { archive }, values: { text }, timeoutSeconds: 60 }
  },
})
