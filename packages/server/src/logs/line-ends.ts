/** Counts the line ends of a text, up to places that are asked for one after the other: each character is read once. */
export class LineEnds {
  readonly #text: string
  #next: number
  #count = 0

  constructor(text: string) {
    this.#text = text
    this.#next = text.indexOf('\n')
  }

  /** How many there are before this place. */
  before(place: number): number {
    while (this.#next !== -1 && this.#next < place) this.pass()
    return this.#count
  }

  /** The first that was not counted; behind the text if there is none. */
  get next(): number {
    return this.#next === -1 ? this.#text.length : this.#next
  }

  get count(): number {
    return this.#count
  }

  pass(): void {
    this.#count += 1
    this.#next = this.#text.indexOf('\n', this.#next + 1)
  }
}
