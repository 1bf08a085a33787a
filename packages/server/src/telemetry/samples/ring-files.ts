/**
 * One file of fixed size for each workload: `<folder>/<tenant>/<uid>.samples`. The place of a sample follows from its time,
 * so there is no pointer to keep, nothing to repair after a crash, and a day later its place is another's.
 */
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@gantry/core'
import { readRecord, recordBytes, writeRecord } from './record.ts'
import type { Sample, SampledWorkload, SampleStore } from './sample-store.ts'

export const sampleEveryMs = 30_000
const dayMs = 24 * 3600 * 1000
const places = dayMs / sampleEveryMs

export function ringFiles({ folder, clock }: { readonly folder: string; readonly clock: Clock }): SampleStore {
  const pathOf = ({ tenant, uid }: SampledWorkload): string => join(folder, tenant, `${uid}.samples`)
  return {
    async keep(of, sample) {
      await mkdir(join(folder, of.tenant), { recursive: true, mode: 0o700 })
      const place = Math.floor(sample.at.getTime() / sampleEveryMs) % places
      const file = await openRing(pathOf(of))
      try {
        await file.write(writeRecord(sample), 0, recordBytes, place * recordBytes)
      } finally {
        await file.close()
      }
    },
    async read(of, since, { signal }) {
      const bytes = await readFile(pathOf(of), { signal }).catch(unlessMissing(Buffer.alloc(0)))
      const from = Math.max(since, clock.now() - dayMs)
      const samples = [...recordsOf(bytes)]
        .filter(({ at }) => at.getTime() >= from)
        .sort((left, right) => left.at.getTime() - right.at.getTime())
        .map(({ at, ...figures }) => ({ at: at.toISOString(), ...figures }))
      return { everySeconds: sampleEveryMs / 1000, samples }
    },
    async sweep({ signal }) {
      for (const tenant of await readdir(folder).catch(unlessMissing<string[]>([]))) {
        for (const file of await readdir(join(folder, tenant))) {
          signal.throwIfAborted()
          const path = join(folder, tenant, file)
          const { mtimeMs } = await stat(path)
          if (clock.now() - mtimeMs > dayMs) await rm(path, { force: true })
        }
      }
    },
  }
}

function* recordsOf(bytes: Buffer): Generator<Sample> {
  for (let at = 0; at < bytes.length; at += recordBytes) {
    const sample = readRecord(bytes.subarray(at, at + recordBytes))
    if (sample) yield sample
  }
}

async function openRing(path: string) {
  // Not `a`: that would ignore the place that is written to.
  return await open(path, 'r+').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return await open(path, 'w+', 0o600)
  })
}

function unlessMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return instead
    throw error
  }
}
