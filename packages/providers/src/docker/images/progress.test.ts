import { describe, expect, it } from 'vitest'
import type { PullProgress } from '../api/types/images.ts'
import { PullTally } from './progress.ts'

const line = (id: string, status: string, current?: number, total?: number): PullProgress => ({
  id,
  status,
  progressDetail: current === undefined ? {} : { current, ...(total !== undefined && { total }) },
})

function wordsAfter(...lines: readonly PullProgress[]): string {
  const tally = new PullTally()
  for (const each of lines) tally.take(each)
  return tally.words()
}

const megabyte = 1_000_000

const rows: readonly [string, readonly PullProgress[], string][] = [
  ['nothing was said', [], 'asking the registry'],
  ['only the tag was named', [line('1.2', 'Pulling from web')], 'asking the registry'],
  ['layers wait', [line('a', 'Pulling fs layer'), line('b', 'Waiting')], '0 of 2 layers'],
  [
    'all sizes are known',
    [
      line('a', 'Already exists'),
      line('b', 'Downloading', 2 * megabyte, 8 * megabyte),
      line('c', 'Downloading', 10 * megabyte, 40 * megabyte),
    ],
    '12 of 48 MB, 1 of 3 layers',
  ],
  [
    'a size is not known yet',
    [line('a', 'Downloading', 1.25 * megabyte, 8 * megabyte), line('b', 'Waiting')],
    '1.3 MB so far, 0 of 2 layers',
  ],
  [
    'a layer is unpacked while another comes',
    [
      line('a', 'Downloading', 8 * megabyte, 8 * megabyte),
      line('a', 'Extracting', 1, 3),
      line('b', 'Downloading', 1 * megabyte, 8 * megabyte),
    ],
    '9 of 16 MB, 0 of 2 layers',
  ],
  [
    'all is here and not yet unpacked',
    [line('a', 'Downloading', 5, 9), line('a', 'Download complete'), line('b', 'Pull complete')],
    'unpacking, 1 of 2 layers',
  ],
  ['all is done', [line('a', 'Pull complete'), line('b', 'Already exists')], '2 of 2 layers'],
  [
    'a layer broke off',
    [line('a', 'Downloading', 500_000, 900_000), line('a', 'Retrying in 5 seconds')],
    '500 of 900 kB, 0 of 1 layer, one broke off and is tried again',
  ],
  ['it is very large', [line('a', 'Downloading', 1.5e9, 12e9)], '1.5 of 12 GB, 0 of 1 layer'],
]

describe('the progress of a pull', () => {
  it.each(rows)('where %s', (_when, lines, words) => {
    expect(wordsAfter(...lines)).toBe(words)
  })
})
