/** A list that is longer than one answer, read page by page as it is needed. */

export type Paged<Item, Page> = AsyncIterable<Item> & {
  /** Page by page, with what else a page says. */
  pages(): AsyncIterable<Page>
  /** All of it at once, where it is known to be short. */
  toArray(): Promise<Item[]>
}

type PageOf<Item> = { readonly items: readonly Item[]; readonly continue?: string | undefined }

/** `read` gets the place to go on from; the first time none. */
export function paged<Item, Page extends PageOf<Item>>(
  read: (from: string | undefined) => Promise<Page>,
): Paged<Item, Page> {
  async function* pages(): AsyncGenerator<Page> {
    let from: string | undefined
    do {
      const page = await read(from)
      yield page
      from = page.continue
    } while (from !== undefined)
  }
  async function* items(): AsyncGenerator<Item> {
    for await (const page of pages()) yield* page.items
  }
  return {
    [Symbol.asyncIterator]: items,
    pages,
    async toArray() {
      const all: Item[] = []
      for await (const item of items()) all.push(item)
      return all
    },
  }
}
