/** What is applied: workloads as people write them, in one file of YAML. Without health checks, which nothing simulated answers. */

export const sizes = [100, 500] as const
export type Size = (typeof sizes)[number]

/** Each size has a tenant of its own, so that a list of one is not one of the other. */
export const tenantOf = (size: Size): string => `team-${size}`
export const tenants: readonly string[] = sizes.map(tenantOf)

/** `version`: what is different from one to the next. */
export function fileOf(size: Size, version: number): string {
  return Array.from({ length: size }, (_, at) => workload(at, version)).join('---\n')
}

function workload(at: number, version: number): string {
  return `apiVersion: gantry/v1
kind: Workload
metadata:
  name: web-${at}
  labels: { team: web, tier: front }
spec:
  replicas: 1
  services:
    - name: web
      image: registry/app:1.2
      env: { GREETING: hello, VERSION: "${version}" }
      ports: [{ name: http, port: 8080 }]
      resources: { cpu: 250m, memory: 64Mi }
  strategy: { minReadySeconds: 0 }
`
}
