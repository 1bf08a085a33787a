/** From asking for a change to hearing of it: a client makes objects and listens to them, one after the other. */
import type { Client, Written } from './clients.ts'

/** The median of so many, in milliseconds. `make` names each anew. */
export async function seenAgain(client: Client, count: number, make: () => Written): Promise<number> {
  const waiting = new Map<string, () => void>()
  const watching = await client.watch((name) => waiting.get(name)?.())
  try {
    const took: number[] = []
    for (let at = 0; at < count; at += 1) {
      const object = make()
      const from = performance.now()
      const seen = new Promise<void>((resolve) => waiting.set(object.metadata.name, resolve))
      await Promise.all([client.create(object), seen.then(() => took.push(performance.now() - from))])
    }
    return took.sort((left, right) => left - right)[count >> 1] ?? Number.NaN
  } finally {
    watching.stop()
  }
}
