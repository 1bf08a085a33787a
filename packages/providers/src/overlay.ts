/** The same object with some members replaced. Works for classes with private fields too, where a copy would not. */
export function overlay<T extends object>(base: T, members: Partial<T>): T {
  return new Proxy(base, {
    get(target, key) {
      if (key in members) return members[key as keyof T]
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
