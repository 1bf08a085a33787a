/** The faces of all kinds. Whoever only lists and names objects loads these, and none of the schemas. */
import type { GantryObject } from '../object.ts'
import type { Column, Maker, Scope } from './face.ts'
import { instanceFace } from './instance/face.ts'
import { providerFace } from './provider/face.ts'
import { releaseFace } from './release/face.ts'
import { rolloutFace } from './rollout/face.ts'
import { routeFace } from './route/face.ts'
import { secretFace } from './secret/face.ts'
import { tenantFace } from './tenant/face.ts'
import { workloadFace } from './workload/face.ts'

/** A face of which nobody knows whose it is: its columns read whatever object they are given. */
export type AnyFace = {
  readonly kind: string
  readonly plural: string
  readonly short: string
  readonly scope: Scope
  readonly madeBy: Maker
  readonly about: string
  readonly columns: readonly Column<unknown, GantryObject['status']>[]
}

const written = [tenantFace, providerFace, secretFace, workloadFace, routeFace] as const
const made = [releaseFace, rolloutFace, instanceFace] as const

/** In the order of the registry; a test holds the two together. */
export const faces: readonly AnyFace[] = [...written, ...made].map(
  (face) => ({ ...face, madeBy: face.madeBy ?? 'users' }) as AnyFace,
)

/** A kind as people call it: `Workload`, `workload`, `workloads`, `wl`. */
export function findFace(word: string): AnyFace | undefined {
  const wanted = word.toLowerCase()
  return faces.find(({ kind, plural, short }) => [kind.toLowerCase(), plural, short].includes(wanted))
}
