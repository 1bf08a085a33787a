/** The issues of a spec that is valid but for what a test adds, with paths below `spec`. */
import { workloadKind } from '../kinds/workload/workload.ts'

export function checkSpec(spec: object): [path: string, message: string][] {
  const object = { apiVersion: 'gantry/v1', kind: 'Workload', metadata: { name: 'hello' }, spec }
  return workloadKind.check(object).map(({ path, message }) => [path.replace(/^spec\.?/, ''), message])
}

export function checkServices(...services: readonly object[]): [path: string, message: string][] {
  return checkSpec({ services })
}
