import type { QueryConfig } from 'pg'
import { statement } from './statement.ts'

/** Deleting much at once would hold up everybody else. */
const atOnce = 2000

/**
 * One statement, so that the changes and the mark that they are gone go together. Locking the row of `meta` first keeps
 * two compactions, and a compaction and a write, from working on the same one.
 */
const sql = `
  WITH meta_now AS (
    SELECT compacted, least(?::bigint, compacted + ${atOnce}) AS up_to FROM meta WHERE id = 1 FOR UPDATE
  ), kept AS (
    SELECT min(c.version) AS version FROM changes c, meta_now m
    WHERE c.version > m.compacted AND c.version <= m.up_to AND c.at >= ?
  ), last AS (
    SELECT coalesce((SELECT version - 1 FROM kept), (SELECT up_to FROM meta_now)) AS version
  ), removed AS (
    DELETE FROM changes c USING meta_now m, last l
    WHERE c.version > m.compacted AND c.version <= l.version RETURNING 1
  ), marked AS (
    UPDATE meta SET compacted = l.version FROM last l WHERE meta.id = 1 AND l.version > meta.compacted
  )
  SELECT count(*) AS removed FROM removed`

export const compactQuery = (version: number, before: number): QueryConfig => statement(sql, [version, before])
