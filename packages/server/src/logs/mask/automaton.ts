/**
 * Finds any of many texts in one walk over a stream, however it is cut (Aho and Corasick, 1975). The cost is linear in what
 * is read, whatever the texts are: nobody can make it slow by choosing a secret or a line. Edges are lists of siblings in
 * columns, so a value of a megabyte takes twenty, and not a table of all characters for each of its positions.
 */

/** So many characters decide whether a text may begin here at all. */
const hintLength = 4
/** With more beginnings than this, looking for them costs as much as the walk itself. */
const mostHints = 64

export class Automaton {
  readonly #unit: Uint16Array
  readonly #firstChild: Int32Array
  readonly #nextSibling: Int32Array
  readonly #fail: Int32Array
  readonly #depth: Int32Array
  /** Depth of the longest beginning that can still go on. */
  readonly #open: Int32Array
  /** Length of the longest text that ends in a state; 0 where none does. */
  readonly #found: Int32Array
  /** Nearly everything is read in the first state: its edges by character, for those below 256. */
  readonly #fromRoot = new Int32Array(256)
  /** Finds the next beginning of any text, many times faster than the walk: most lines have none. */
  readonly #hint: RegExp | undefined
  #states = 1
  /** How far the present text was read. */
  #at = 0

  constructor(texts: Iterable<string>) {
    const all = [...new Set(texts)].filter((text) => text !== '')
    const most = 1 + all.reduce((sum, { length }) => sum + length, 0)
    this.#unit = new Uint16Array(most)
    this.#firstChild = new Int32Array(most)
    this.#nextSibling = new Int32Array(most)
    this.#fail = new Int32Array(most)
    this.#depth = new Int32Array(most)
    this.#open = new Int32Array(most)
    this.#found = new Int32Array(most)
    for (const text of all) this.#add(text)
    this.#link()
    this.#hint = hintOf(all)
  }

  /** How many characters at the end of what was read may be the beginning of a text. */
  openAt(state: number): number {
    return this.#open[state] as number
  }

  /** Reads on from `state` (0: the start) and answers the new one; tells where each text ends, and how long it is. */
  scan(text: string, state: number, found: (end: number, length: number) => void): number {
    this.#at = 0
    let now = this.#walk(text, state, found)
    while (this.#at < text.length) {
      const begun = this.#nextBeginning(text)
      // No text begins here, but one may begin with the last few characters.
      this.#at = begun ?? Math.max(this.#at, text.length - hintLength + 1)
      now = this.#walk(text, 0, found, begun === undefined ? text.length : this.#at + 1)
    }
    return now
  }

  /** At least up to `until`, and then for as long as something goes on that has begun. */
  #walk(text: string, state: number, found: (end: number, length: number) => void, until = 0): number {
    const { length } = text
    const end = this.#hint ? until : length
    const fromRoot = this.#fromRoot
    const ends = this.#found
    let now = state
    let at = this.#at
    for (; at < length && (now !== 0 || at < end); at += 1) {
      const unit = text.charCodeAt(at)
      if (now === 0) now = unit < 256 ? (fromRoot[unit] as number) : this.#child(0, unit)
      else now = this.#step(now, unit)
      if (now !== 0 && ends[now] !== 0) found(at + 1, ends[now] as number)
    }
    this.#at = at
    return now
  }

  #nextBeginning(text: string): number | undefined {
    if (!this.#hint) return undefined
    this.#hint.lastIndex = this.#at
    return this.#hint.exec(text)?.index
  }

  #step(from: number, unit: number): number {
    let state = from
    for (;;) {
      const next = this.#child(state, unit)
      if (next !== 0 || state === 0) return next
      state = this.#fail[state] as number
    }
  }

  #child(state: number, unit: number): number {
    let child = this.#firstChild[state] as number
    while (child !== 0 && this.#unit[child] !== unit) child = this.#nextSibling[child] as number
    return child
  }

  #add(text: string): void {
    let state = 0
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      state = this.#child(state, unit) || this.#grow(state, unit)
    }
    this.#found[state] = text.length
  }

  #grow(parent: number, unit: number): number {
    const state = this.#states
    this.#states += 1
    this.#unit[state] = unit
    this.#depth[state] = (this.#depth[parent] as number) + 1
    this.#nextSibling[state] = this.#firstChild[parent] as number
    this.#firstChild[parent] = state
    if (parent === 0 && unit < 256) this.#fromRoot[unit] = state
    return state
  }

  /** Breadth first: where to go on when the next character does not fit, and what else has ended by then. */
  #link(): void {
    const order = new Int32Array(this.#states)
    let count = 1
    for (let at = 0; at < count; at += 1) {
      const state = order[at] as number
      for (let child = this.#firstChild[state] as number; child !== 0; child = this.#nextSibling[child] as number) {
        order[count] = child
        count += 1
        if (state !== 0) this.#fail[child] = this.#step(this.#fail[state] as number, this.#unit[child] as number)
        const shorter = this.#found[this.#fail[child] as number] as number
        if (this.#found[child] === 0) this.#found[child] = shorter
        const canGoOn = this.#firstChild[child] !== 0
        this.#open[child] = (canGoOn ? this.#depth[child] : this.#open[this.#fail[child] as number]) as number
      }
    }
  }
}

function hintOf(texts: readonly string[]): RegExp | undefined {
  const hints = new Set(texts.map((text) => text.slice(0, hintLength)))
  if (hints.size > mostHints || [...hints].some(({ length }) => length < hintLength)) return undefined
  return new RegExp([...hints].map((hint) => hint.replaceAll(/[^\w]/g, escaped)).join('|'), 'g')
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
