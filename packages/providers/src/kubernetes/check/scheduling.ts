/** Pure: wishes to the scheduler that Kubernetes itself would refuse. */
import type { Issue } from '@gantry/core'
import type { Desired } from '../../desired.ts'

type Wishes = NonNullable<Desired['engine']['kubernetes']>

export function schedulingIssues({ tolerations = [] }: Partial<Wishes>): Issue[] {
  return tolerations.flatMap(({ key, operator, value, effect, tolerationSeconds }, at) => {
    const path = `spec.engine.kubernetes.tolerations[${at}]`
    const issues: Issue[] = []
    if (key === undefined && operator === 'Equal')
      issues.push({ path: `${path}.key`, message: 'is required with Equal; with Exists it may be left out' })
    if (operator === 'Exists' && (value ?? '') !== '')
      issues.push({ path: `${path}.value`, message: 'is for Equal; Exists takes whatever the value is' })
    if (tolerationSeconds !== undefined && effect !== 'NoExecute')
      issues.push({ path: `${path}.tolerationSeconds`, message: 'is for the effect NoExecute alone' })
    return issues
  })
}
