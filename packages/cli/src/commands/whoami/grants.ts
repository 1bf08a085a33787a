/** Pure: what somebody was given, in words. */
import type { Whoami } from '@gantry/api'

export function grantsText({ grants }: Pick<Whoami, 'grants'>): string {
  if (grants.length === 0) return 'no role anywhere'
  return grants
    .map(({ role, tenant }) => (tenant === undefined ? `${role} everywhere` : `${role} in ${tenant}`))
    .join(', ')
}
