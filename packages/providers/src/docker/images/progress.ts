/** How far a pull is: what its layers say, summed up in words for somebody who waits. */
import type { PullProgress } from '../api/types/images.ts'

type Layer = {
  readonly stage: 'waiting' | 'downloading' | 'downloaded' | 'done'
  readonly retries: boolean
  readonly current: number
  /** Undefined: not told yet. */
  readonly total: number | undefined
}

const stages: readonly (readonly [RegExp, Layer['stage']])[] = [
  [/^(Pulling fs layer|Waiting|Retrying in )/, 'waiting'],
  [/^Downloading/, 'downloading'],
  [/^(Verifying Checksum|Download complete|Extracting)/, 'downloaded'],
  [/^(Pull complete|Already exists)/, 'done'],
]

export class PullTally {
  readonly #layers = new Map<string, Layer>()

  take({ status, id, progressDetail: { current, total } = {} }: PullProgress): void {
    const stage = stages.find(([words]) => words.test(status))?.[1]
    // Other lines have an id as well: that of the first is the tag.
    if (id === undefined || stage === undefined) return
    const before = this.#layers.get(id)
    const isDownload = stage === 'downloading'
    this.#layers.set(id, {
      stage,
      retries: status.startsWith('Retrying'),
      current: isDownload ? (current ?? 0) : (before?.current ?? 0),
      // While it is unpacked, both numbers are about something else.
      total: (isDownload ? total : undefined) ?? before?.total,
    })
  }

  /** `12 of 48 MB, 3 of 5 layers`. */
  words(): string {
    const layers = [...this.#layers.values()]
    if (layers.length === 0) return 'asking the registry'
    const finished = layers.filter(({ stage }) => stage === 'done').length
    const count = `${finished} of ${layers.length} ${layers.length === 1 ? 'layer' : 'layers'}`
    const again = layers.some(({ retries }) => retries) ? ', one broke off and is tried again' : ''
    return `${downloadWords(layers)}${count}${again}`
  }
}

function downloadWords(layers: readonly Layer[]): string {
  if (layers.every(({ stage }) => stage === 'done')) return ''
  if (layers.every(({ stage }) => stage === 'done' || stage === 'downloaded')) return 'unpacking, '
  const isOver = ({ stage }: Layer): boolean => stage === 'done' || stage === 'downloaded'
  const here = sum(layers.map((layer) => (isOver(layer) ? (layer.total ?? 0) : layer.current)))
  if (here === 0) return ''
  // Several wait for others to end before they say how large they are.
  const isKnown = layers.every((layer) => isOver(layer) || layer.total !== undefined)
  const [divisor, unit] = unitFor(isKnown ? sum(layers.map(({ total }) => total ?? 0)) : here)
  if (!isKnown) return `${short(here / divisor)} ${unit} so far, `
  return `${short(here / divisor)} of ${short(sum(layers.map(({ total }) => total ?? 0)) / divisor)} ${unit}, `
}

function unitFor(bytes: number): readonly [number, string] {
  if (bytes >= 1e9) return [1e9, 'GB']
  return bytes >= 1e6 ? [1e6, 'MB'] : [1e3, 'kB']
}

const short = (value: number): string => (value < 10 ? value.toFixed(1).replace(/\.0$/, '') : value.toFixed(0))

const sum = (numbers: readonly number[]): number => numbers.reduce((total, next) => total + next, 0)
