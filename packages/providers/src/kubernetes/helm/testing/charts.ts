/** Charts of our own, packed as Helm packs them. */
import { gzipSync } from 'node:zlib'
import { type TarEntry, tarArchive } from '../../../tar/write.ts'

/** By path within the chart. */
export type ChartFiles = Readonly<Record<string, string>>

export function packChart(name: string, files: ChartFiles): Uint8Array {
  const entries = Object.entries(files).map(
    ([path, content]): TarEntry => ({ path: `${name}/${path}`, mode: 0o644, content: Buffer.from(content) }),
  )
  return gzipSync(tarArchive(entries))
}

export const chartFile = (name: string, version = '1.0.0'): string =>
  `apiVersion: v2\nname: ${name}\nversion: ${version}\nappVersion: "9"\n`

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  replicas: {{ .Values.replicas }}
  selector: { matchLabels: { app: {{ .Release.Name }} } }
  template:
    metadata: { labels: { app: {{ .Release.Name }} } }
    spec:
      terminationGracePeriodSeconds: 1
      containers:
        - name: web
          image: {{ .Values.image | quote }}
          imagePullPolicy: IfNotPresent
          command: ['httpd', '-f', '-p', '8080', '-h', '/www']
          env: [{ name: TEXT, value: {{ .Values.text | quote }} }]
          volumeMounts: [{ name: www, mountPath: /www }]
          readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1 }
      volumes: [{ name: www, configMap: { name: {{ .Release.Name }}-www } }]
`

const configMap = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-www
data:
  index.html: {{ .Values.text | quote }}
`

const service = `apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
spec:
  selector: { app: {{ .Release.Name }} }
  ports: [{ name: http, port: 80, targetPort: 8080 }]
`

/** A page behind a Service: values image, text, replicas. */
export const webChart = (image: string, more: ChartFiles = {}, version = '1.0.0'): ChartFiles => ({
  'Chart.yaml': chartFile('web', version),
  'values.yaml': `image: ${image}\ntext: hello\nreplicas: 1\n`,
  'templates/deployment.yaml': deployment,
  'templates/configmap.yaml': configMap,
  'templates/service.yaml': service,
  ...more,
})

/** A Job that runs `command` at `event`; without a policy Helm leaves it there. */
export const hook = (
  name: string,
  event: string,
  image: string,
  command: readonly string[],
  policy?: string,
): string => `
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-${name}
  annotations:
    helm.sh/hook: ${event}
${policy === undefined ? '' : `    helm.sh/hook-delete-policy: ${policy}\n`}spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 0
      containers:
        - { name: hook, image: ${JSON.stringify(image)}, imagePullPolicy: IfNotPresent, command: ${JSON.stringify(command)} }
`

/** A hook that does not begin before a test says so: for what must happen while Helm waits, however long that takes. */
export const heldHook = (name: string, event: string, image: string): string =>
  hook(name, event, image, ['true']).replace('spec:\n', 'spec:\n  suspend: true\n')

/** One object, for where nothing has to run. */
export const noteChart = (files: ChartFiles = {}, version = '1.0.0'): ChartFiles => ({
  'Chart.yaml': chartFile('note', version),
  'values.yaml': 'text: hello\n',
  'templates/note.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-note
data:
  values: {{ .Values | toJson | quote }}
`,
  ...files,
})
