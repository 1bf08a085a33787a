/** Pure: what is said of a cluster that was just added. */
import type { ObjectOf } from '@gantry/core'
import { fieldLines } from '../../../output/sections.ts'

export function addedText(
  { metadata: { name }, spec, status }: ObjectOf<'Provider'>,
  read: { readonly context: string } | undefined,
): string {
  const { version = 'of an unknown version', facts = {}, limits = [] } = status
  const { server, ...others } = facts
  const secret = spec.kubernetes?.kubeconfig?.secret
  const kept = secret && read ? `Its kubeconfig (context ${read.context}) is kept as secret/${secret.name}\n` : ''
  return [
    `provider/${name} created: Kubernetes ${version}${server === undefined ? '' : ` at ${server}`}\n`,
    fieldLines(Object.entries(others), '  '),
    kept,
    limits.length === 0 ? '' : `What is limited there:\n${limits.map((limit) => `  ${limit}\n`).join('')}`,
  ].join('')
}
