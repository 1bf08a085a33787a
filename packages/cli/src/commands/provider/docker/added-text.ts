/** Pure: what is said of an engine that was just added. */
import type { ObjectOf } from '@gantry/core'
import { fieldLines } from '../../../output/sections.ts'

export function addedText({ metadata: { name }, spec, status }: ObjectOf<'Provider'>): string {
  const { version = 'of an unknown version', facts = {}, limits = [] } = status
  return [
    `provider/${name} created: Docker ${version} at ${spec.docker?.endpoint}\n`,
    fieldLines(Object.entries(facts), '  '),
    limits.length === 0 ? '' : `What is limited there:\n${limits.map((limit) => `  ${limit}\n`).join('')}`,
  ].join('')
}
