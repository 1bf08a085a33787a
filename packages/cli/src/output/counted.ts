/** Pure: a number with its noun: `1 replica`, `3 replicas`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}
