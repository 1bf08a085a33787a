/** What there is of one kind of object, kept up to date by the API itself. */
import { type Call, Fault } from '@gantry/core'
import { type Access, ask, open } from './ask.ts'

export type Named = { readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid: string } }

type Page<T> = { readonly metadata: { readonly resourceVersion: string }; readonly items: readonly T[] }
type Event<T> = { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'ERROR'; readonly object: T }

/** Calls back with all of them, by uid, at the beginning and after every change. Ends when the API ends it. */
export async function follow<T extends Named>(
  access: Access,
  path: string,
  changed: (all: ReadonlyMap<string, T>) => void | Promise<void>,
  call: Call,
): Promise<void> {
  const page = await ask<Page<T>>(access, { path }, call)
  const all = new Map(page.items.map((item) => [item.metadata.uid, item]))
  const watch = await open(access, { path: `${path}?watch=1&resourceVersion=${page.metadata.resourceVersion}` }, call)
  await changed(all)
  let rest = ''
  for await (const chunk of watch.setEncoding('utf8')) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { type, object } = JSON.parse(line) as Event<T>
      if (type === 'ERROR') throw new Fault('engine_refused', `The API ended the watch of ${path}: ${line}`)
      if (type === 'DELETED') all.delete(object.metadata.uid)
      else all.set(object.metadata.uid, object)
    }
    await changed(all)
  }
}
