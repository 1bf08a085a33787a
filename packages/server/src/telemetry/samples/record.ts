/** One sample in 64 bytes: when, six figures, and a check sum, so that half a write is no sample. */
import { crc32 } from 'node:zlib'
import type { Sample } from './sample-store.ts'

export const recordBytes = 64

/** In the order of their places; one that is not known is not a number. */
const figures = [
  'cpuMillis',
  'memoryBytes',
  'memoryLimitBytes',
  'diskBytes',
  'networkInBytes',
  'networkOutBytes',
] as const satisfies readonly (keyof Sample)[]

const sumAt = 8 + figures.length * 8

export function writeRecord(sample: Sample): Buffer {
  const record = Buffer.alloc(recordBytes)
  record.writeDoubleLE(sample.at.getTime(), 0)
  for (const [at, figure] of figures.entries()) record.writeDoubleLE(sample[figure] ?? Number.NaN, 8 + at * 8)
  record.writeUInt32LE(crc32(record.subarray(0, sumAt)), sumAt)
  return record
}

/** `undefined`: nothing was written here, or not all of it. */
export function readRecord(record: Buffer): Sample | undefined {
  const at = record.length === recordBytes ? record.readDoubleLE(0) : 0
  if (at === 0 || record.readUInt32LE(sumAt) !== crc32(record.subarray(0, sumAt))) return undefined
  const known = figures
    .map((figure, place) => [figure, record.readDoubleLE(8 + place * 8)] as const)
    .filter(([, value]) => !Number.isNaN(value))
  return { at: new Date(at), ...Object.fromEntries(known) }
}
