/** Pure: what an engine says of itself, and what is limited there. */
import type { ObjectOf } from '@gantry/core'
import type { AnyObject } from '../../objects/access.ts'
import { fieldLines, section } from '../../output/sections.ts'
import { clean } from '../../output/table.ts'
import type { Inside } from './object-text.ts'
import { specText } from './spec-text.ts'

export async function providerText({ spec, status }: AnyObject): Promise<Inside> {
  const { facts = {}, limits = [] } = status as ObjectOf<'Provider'>['status']
  return {
    spec: await specText(spec),
    parts: [
      section('Engine', fieldLines(Object.entries(facts))),
      section('Limited', limits.map((limit) => `${clean(limit)}\n`).join('')),
    ].join(''),
  }
}
