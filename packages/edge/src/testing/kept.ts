/** Closes what a test opened, in reverse, also when it fails. */
import { afterEach } from 'vitest'

export function keeper(): <T extends { close(): unknown }>(thing: T) => T {
  const open: { close(): unknown }[] = []
  afterEach(async () => {
    for (const thing of open.splice(0).reverse()) await thing.close()
  })
  return (thing) => {
    open.push(thing)
    return thing
  }
}
