/** Pure: what to say when there is nothing of what was asked for. */
import type { AnyFace } from '@gantry/core'

export type AskedFor = {
  readonly faces: readonly AnyFace[]
  readonly tenant: string
  readonly selector?: string | undefined
  readonly allTenants?: boolean
}

/** "workloads with team=web in tenant acme". */
export function askedFor({ faces, tenant, selector, allTenants = false }: AskedFor): string {
  const kinds = faces.map(({ plural }) => plural).join(' or ')
  const isOfSystem = faces.every(({ scope }) => scope === 'system')
  const place = isOfSystem ? '' : allTenants ? ' in any tenant' : ` in tenant ${tenant}`
  return `${kinds}${selector === undefined ? '' : ` with ${selector}`}${place}`
}

export function nothingFound(asked: AskedFor): string {
  return `No ${askedFor(asked)}.\n`
}
