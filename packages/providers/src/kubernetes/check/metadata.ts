/** Pure: labels and annotations that cannot be passed on. */
import type { Issue } from '@gantry/core'
import type { DesiredService } from '../../desired.ts'
import { ownPrefix } from '../../labels.ts'

/** Controllers of the cluster write these on pods themselves, and find pods by them. */
const theirs: ReadonlySet<string> = new Set([
  'pod-template-hash',
  'controller-revision-hash',
  'statefulset.kubernetes.io/pod-name',
  'apps.kubernetes.io/pod-index',
])

/** The most that all annotations of an object may be together, less what ours take. */
const mostAnnotations = 262_144 - 65_536

export function labelIssues(labels: Readonly<Record<string, string>>): Issue[] {
  return Object.keys(labels)
    .filter((key) => theirs.has(key))
    .map((key) => ({
      path: `metadata.labels[${JSON.stringify(key)}]`,
      message: 'Kubernetes marks pods with this itself; choose another key',
    }))
}

/** All services of a replica are one pod, which has each key once. */
export function annotationIssues(services: readonly DesiredService[]): Issue[] {
  const first = new Map<string, { readonly value: string; readonly service: string }>()
  const issues: Issue[] = []
  let bytes = 0
  for (const [at, { name, annotations }] of services.entries()) {
    for (const [key, value] of Object.entries(annotations)) {
      if (key.startsWith(ownPrefix)) continue
      const known = first.get(key)
      const path = `spec.services[${at}].annotations[${JSON.stringify(key)}]`
      if (known === undefined) {
        bytes += Buffer.byteLength(key) + Buffer.byteLength(value)
        first.set(key, { value, service: name })
      } else if (known.value !== value) {
        const message = `${known.service} says something else, and services of a replica are one pod here; say the same`
        issues.push({ path, message })
      }
    }
  }
  if (bytes <= mostAnnotations) return issues
  const at = services.findIndex(({ annotations }) => Object.keys(annotations).length > 0)
  const message = `annotations are ${bytes} bytes together, and a pod has room for ${mostAnnotations}; shorten them`
  return [...issues, { path: `spec.services[${at}].annotations`, message }]
}
