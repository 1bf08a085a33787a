/** Which fields a schema has at a path, so that a wrong one can be answered with the right one. */
import { z } from 'zod'
import { own } from '../json.ts'
import type { Path } from '../path.ts'

/** Looks through defaults, optionals and transforms to what a user writes. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  for (let inner = schema; ; ) {
    if (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault) {
      inner = inner.def.innerType
    } else if (inner instanceof z.ZodNullable || inner instanceof z.ZodReadonly) inner = inner.def.innerType
    else if (inner instanceof z.ZodPipe) inner = inner.def.in
    else return inner
  }
}

function stepInto(schema: z.core.$ZodType, part: string | number): z.core.$ZodType[] {
  const inner = bare(schema)
  if (inner instanceof z.ZodUnion) return inner.def.options.flatMap((option) => stepInto(option, part))
  if (inner instanceof z.ZodArray) return [inner.def.element]
  if (inner instanceof z.ZodRecord) return [inner.def.valueType]
  const field = inner instanceof z.ZodObject ? own(inner.def.shape, part) : undefined
  return field instanceof z.ZodType ? [field] : []
}

/** The fields that may stand at `path`; none where it is not an object. */
export function keysAt(schema: z.core.$ZodType, path: Path): string[] {
  const schemas = path.reduce<z.core.$ZodType[]>((at, part) => at.flatMap((one) => stepInto(one, part)), [schema])
  return schemas.flatMap(function keysOf(one): string[] {
    const inner = bare(one)
    if (inner instanceof z.ZodUnion) return inner.def.options.flatMap(keysOf)
    return inner instanceof z.ZodObject ? Object.keys(inner.def.shape) : []
  })
}
