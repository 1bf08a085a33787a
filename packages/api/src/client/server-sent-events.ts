/** Reads Server-Sent Events out of text that arrives in pieces, cut anywhere. */

export type ServerSentEvent = {
  readonly event: string
  readonly data: string
  /** The last id that was sent, with this event or before it. */
  readonly id: string | undefined
}

/** An event longer than this is no event of ours. */
const longest = 16_777_216

export class EventReader {
  #rest = ''
  #data: string[] = []
  #size = 0
  #event = ''
  #id: string | undefined

  /** The events that are complete now. Throws if one is longer than anything we send. */
  push(text: string): ServerSentEvent[] {
    const whole = this.#rest + text
    // A carriage return at the end may be half of a line end.
    const usable = whole.endsWith('\r') ? whole.length - 1 : whole.length
    const lines = whole.slice(0, usable).split(/\r\n|\n|\r/)
    this.#rest = (lines.pop() ?? '') + whole.slice(usable)
    if (this.#rest.length + this.#size > longest) throw new RangeError('the event is too long')
    return lines.flatMap((line) => this.#line(line))
  }

  #line(line: string): ServerSentEvent[] {
    if (line === '') return this.#dispatch()
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') {
      this.#data.push(value)
      this.#size += value.length
    } else if (field === 'event') this.#event = value
    else if (field === 'id' && !value.includes('\0')) this.#id = value
    return []
  }

  #dispatch(): ServerSentEvent[] {
    const event = { event: this.#event || 'message', data: this.#data.join('\n'), id: this.#id }
    const isEmpty = this.#data.length === 0
    this.#data = []
    this.#size = 0
    this.#event = ''
    return isEmpty ? [] : [event]
  }
}
