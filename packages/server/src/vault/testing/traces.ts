/** Looks for a value in whatever clothes it may have been printed. */

type Clothes = readonly (readonly [name: string, text: string | Buffer])[]

/** Which of the encodings of `value` are in `haystack`. */
export function findTraces(haystack: Buffer, value: Buffer): string[] {
  return clothesOf(value).flatMap(([name, text]) => (haystack.includes(text) ? [name] : []))
}

function clothesOf(value: Buffer): Clothes {
  const text = value.toString('utf8')
  return [
    ['raw', value],
    ['hex', value.toString('hex')],
    ['bytes', JSON.stringify([...value]).slice(1, -1)],
    ['json', JSON.stringify(text).slice(1, -1)],
    ['json twice', JSON.stringify(JSON.stringify(text)).slice(3, -3)],
    ['url', encodeURIComponent(Buffer.from(text).toString('utf8'))],
    ['form', new URLSearchParams({ a: text }).toString().slice(2)],
    ...[0, 1, 2].flatMap((shift): Clothes => {
      const core = atAlignment(value, shift)
      return [
        [`base64 at ${shift}`, core],
        [`base64url at ${shift}`, core.replaceAll('+', '-').replaceAll('/', '_')],
      ]
    }),
  ]
}

/** The part of its base64 that does not depend on its neighbours, when it begins `shift` bytes into a group of three. */
function atAlignment(value: Buffer, shift: number): string {
  const whole = value.subarray((3 - shift) % 3)
  return whole.subarray(0, whole.length - (whole.length % 3)).toString('base64')
}
