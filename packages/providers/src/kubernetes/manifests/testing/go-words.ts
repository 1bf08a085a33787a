/** Plain words, and what the real kubectl (1.32 and 1.36) makes of them; a test asks it again. */
const truths = ['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']
const lies = ['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']
const nothings = ['~', 'null', 'Null', 'NULL']
const numbers: Readonly<Record<string, number>> = {
  '012': 10,
  '0777': 511,
  '0o12': 10,
  '0O12': 10,
  '0o_1': 1,
  '-012': -10,
  '+0o12': 10,
  '08': 8,
  '0_8': 8,
  '089': 89,
  '0x1F': 31,
  '0X1f': 31,
  '0x_1': 1,
  '-0x1f': -31,
  '0b101': 5,
  '0B101': 5,
  '-0b11': -3,
  '1_000': 1000,
  '1__0': 10,
  '1_': 1,
  '+1': 1,
  '-1': -1,
  '00': 0,
  '1e3': 1000,
  '1E+3': 1000,
  '1e-3': 0.001,
  '12e03': 12000,
  '1.5e3': 1500,
  '.5': 0.5,
  '.5e3': 500,
  '.1_0': 0.1,
  '-.5': -0.5,
  '5.': 5,
  '0.10': 0.1,
  '+1_000.5': 1000.5,
  '1e21': 1e21,
  '123456789012': 123456789012,
}
const texts = [
  'tRue',
  'nULL',
  '0b2',
  '0xg',
  '0o8',
  '0o',
  '0x',
  '1e',
  'e3',
  '_1',
  '1e400',
  '1:30',
  '190:20:30',
  '2001-01-01',
  '2001-12-14t21:59:43.10-05:00',
  'Infinity',
  'NaN',
  'inf',
  '=',
  '1.2.3',
  '10.0.0.1',
  'v1',
  '1m',
  '1Gi',
]

const all = (words: readonly string[], value: boolean | null) => words.map((word) => [word, value] as const)

export const goWords: {
  readonly values: Readonly<Record<string, string | number | boolean | null>>
  readonly refused: readonly string[]
} = {
  values: Object.fromEntries<string | number | boolean | null>([
    ...all(truths, true),
    ...all(lies, false),
    ...all(nothings, null),
    ...Object.entries(numbers),
    ...texts.map((word) => [word, word] as const),
  ]),
  refused: ['.inf', '-.inf', '+.Inf', '.INF', '.nan', '.NaN'],
}
