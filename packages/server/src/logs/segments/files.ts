/** The segments of a source, as they are on disk. */
import { readdir } from 'node:fs/promises'
import { readSegmentFile, type SegmentName } from './segment.ts'

/** A place between two blocks of a source. */
export type Position = { readonly segment: number; readonly offset: number }

export function isBefore(left: Position, right: Position): boolean {
  return left.segment < right.segment || (left.segment === right.segment && left.offset < right.offset)
}

/** Oldest first. A folder that is not there has none. */
export async function segmentsIn(folder: string): Promise<SegmentName[]> {
  const files = await namesIn(folder)
  return files
    .map(readSegmentFile)
    .filter((name) => name !== undefined)
    .sort((left, right) => left.number - right.number)
}

export async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch(unlessMissing<string[]>([]))
}

/** Absent is an answer; whatever else went wrong is not. */
export function unlessMissing<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return instead
    throw error
  }
}
