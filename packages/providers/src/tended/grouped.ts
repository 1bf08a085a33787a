/** Values by their id, each in one group: those of a group are found without looking at all the others. */
export class Grouped<Value> {
  readonly #all = new Map<string, { readonly group: string; readonly value: Value }>()
  readonly #groups = new Map<string, Map<string, Value>>()

  get size(): number {
    return this.#all.size
  }

  get(id: string): Value | undefined {
    return this.#all.get(id)?.value
  }

  has(id: string): boolean {
    return this.#all.has(id)
  }

  /** In the order in which they came. */
  *values(): IterableIterator<Value> {
    for (const { value } of this.#all.values()) yield value
  }

  ids(): IterableIterator<string> {
    return this.#all.keys()
  }

  /** As it is now: what comes and goes meanwhile changes nothing for who has it. */
  of(group: string): Value[] {
    return [...(this.#groups.get(group)?.values() ?? [])]
  }

  idsOf(group: string): string[] {
    return [...(this.#groups.get(group)?.keys() ?? [])]
  }

  /** In the place of what had this id, whatever group that was in. */
  set(id: string, group: string, value: Value): void {
    if (this.#all.get(id)?.group !== group) this.delete(id)
    this.#all.set(id, { group, value })
    const members = this.#groups.get(group)
    if (members) members.set(id, value)
    else this.#groups.set(group, new Map([[id, value]]))
  }

  delete(id: string): boolean {
    const group = this.#all.get(id)?.group
    if (group === undefined) return false
    this.#all.delete(id)
    const members = this.#groups.get(group)
    members?.delete(id)
    if (members?.size === 0) this.#groups.delete(group)
    return true
  }
}
