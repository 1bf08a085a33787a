let last = Number.NaN
let text = ''

/** As everybody writes times here. The writes of one millisecond share the text: making it is slower than most of a plan. */
export function isoTime(now: number): string {
  if (now !== last) {
    last = now
    text = new Date(now).toISOString()
  }
  return text
}
