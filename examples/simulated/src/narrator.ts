/** Tells what a watcher of the store sees: one line for each change of what an object says about itself. */
import type { Call, GantryObject } from '@gantry/core'
import type { Change, Store } from '@gantry/store'
import { scope } from './plane.ts'

export class Narrator {
  readonly #store: Store
  readonly #began: number
  #said = ''

  constructor(store: Store, began: number) {
    this.#store = store
    this.#began = began
  }

  chapter(title: string): void {
    process.stdout.write(`\n▸ ${title}\n`)
    this.#said = ''
  }

  /** Follows an object from a version on, until what is waited for has been seen; ends by the signal otherwise. */
  async until(since: number, seen: (change: Change) => boolean, call: Call): Promise<void> {
    for await (const change of this.#store.changes(scope, { kind: 'Workload', since }, call)) {
      if (change.type === 'put') this.#tell(conditionLine(change.object))
      if (change.type === 'gone') this.#tell('gone: everything was seen to be taken down')
      if (seen(change)) return
    }
  }

  #tell(line: string): void {
    if (line === this.#said || line === '') return
    this.#said = line
    const seconds = ((performance.now() - this.#began) / 1000).toFixed(1).padStart(5)
    process.stdout.write(`  ${seconds} s  ${line}\n`)
  }
}

function conditionLine({ kind, metadata, status }: GantryObject): string {
  const ready = conditionOf(status.conditions, 'Ready')
  if (!ready) return ''
  return `${kind} ${metadata.name}  Ready=${ready.status.padEnd(7)}  ${ready.message}`
}

export function conditionOf(conditions: GantryObject['status']['conditions'], type: string) {
  return conditions?.find((condition) => condition.type === type)
}
