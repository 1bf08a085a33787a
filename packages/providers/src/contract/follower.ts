/** Someone who follows logs while a case does other things. */
import assert from 'node:assert/strict'
import { joinSignals } from '@gantry/core'
import type { LogLine, LogOptions } from '../log-line.ts'
import type { Kit } from './kit.ts'

export class Follower {
  readonly lines: LogLine[] = []
  readonly #kit: Kit
  readonly #left = new AbortController()
  readonly #end: Promise<unknown>
  #error: unknown

  constructor(kit: Kit, options: LogOptions = {}) {
    this.#kit = kit
    assert.ok(kit.provider.logs, 'the provider has logs')
    const logs = kit.provider.logs(
      kit.ref(),
      { ...options, follow: true },
      { signal: joinSignals(kit.call.signal, this.#left.signal).signal },
    )
    this.#end = this.#read(logs).catch((error: unknown) => {
      this.#error = error
      return error
    })
  }

  async #read(logs: AsyncIterable<LogLine | { readonly gap: string }>): Promise<undefined> {
    for await (const entry of logs) {
      assert.ok('line' in entry, `nothing is lost: ${JSON.stringify(entry)}`)
      this.lines.push(entry)
    }
    return undefined
  }

  async until(enough: (lines: readonly LogLine[]) => boolean): Promise<void> {
    await this.#kit.eventually('the follower has read enough', async () => {
      assert.equal(this.#error, undefined)
      return enough(this.lines)
    })
  }

  /** What it ended with: nothing, or an error. */
  async leave(): Promise<unknown> {
    this.#left.abort(new Error('read enough'))
    return await this.ended()
  }

  async ended(): Promise<unknown> {
    return await this.#kit.settle(this.#end)
  }
}
