/** How people call a kind, and what a line about one of its objects shows: everything of it that needs no schema. */
import type { GantryObject } from '../object.ts'

/** Whose it is: the installation's, a tenant's, or the host runtime's. */
export type Scope = 'system' | 'tenant' | 'host'

/** Who writes it. What controllers make, users can only look at. */
export type Maker = 'users' | 'controllers'

export type Column<Spec, Status> = {
  readonly title: string
  /** Only with `-o wide`. */
  readonly wide?: boolean
  readonly value: (object: GantryObject<Spec, Status & GantryObject['status']>) => string
  /** Since when nothing better is known; whoever shows the cell says how long that is. */
  readonly since?: (object: GantryObject<Spec, Status & GantryObject['status']>) => string | undefined
}

/** What it is called and whose it is are known to the types too: clients have `.workloads`, and routes their tenant. */
export type Face<
  Spec,
  Status,
  Name extends string = string,
  Plural extends string = string,
  Owner extends Scope = Scope,
  By extends Maker = Maker,
> = {
  readonly kind: Name
  readonly plural: Plural
  readonly short: string
  readonly scope: Owner
  /** Left out: users. */
  readonly madeBy?: By
  /** One sentence for `explain` and the docs. */
  readonly about: string
  readonly columns: readonly Column<Spec, Status>[]
}

/** In two calls, since the types of the columns are given and the rest is read off. */
export function faceOf<Spec, Status>() {
  return <
    const Name extends string,
    const Plural extends string,
    const Owner extends Scope,
    const By extends Maker = 'users',
  >(
    face: Face<Spec, Status, Name, Plural, Owner, By>,
  ): Face<Spec, Status, Name, Plural, Owner, By> => face
}
