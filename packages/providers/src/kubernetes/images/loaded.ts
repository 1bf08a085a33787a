/** Pure: images that somebody put on nodes by hand, which no registry knows, or knows as something else. */
import { parseReference } from '../../images/reference.ts'

/** Of a node's own word on what it has; nodes name the fifty largest. */
export type NodeImages = {
  readonly status?: { readonly images?: readonly { readonly names?: readonly string[] | null }[] | null }
}

/** Whether some node has it under this tag, and did not pull it from there: what is pulled is known by its digest too. */
export function isLoaded(image: string, nodes: readonly NodeImages[]): boolean {
  const wanted = parseReference(image)
  return nodes
    .flatMap(({ status }) => status?.images ?? [])
    .some(({ names }) => {
      const own = (names ?? [])
        .map(parseReference)
        .filter(({ registry, path }) => registry === wanted.registry && path === wanted.path)
      const hasTag = own.some(({ tag }) => tag === (wanted.tag ?? 'latest'))
      return hasTag && own.every(({ digest }) => digest === undefined)
    })
}
