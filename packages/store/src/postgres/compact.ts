import type { QueryConfig } from 'pg'
import { statement } from './statement.ts'

/** Deleting much at once would hold up everybody else. */
const atOnce = 2000

/**
 * One statement, under the lock of the writers: no object moves on meanwhile. One that has not moved for long keeps its
 * last change, which is what it is. Answers how many versions are no longer told.
 */
const sql = `
  WITH meta_now AS (
    SELECT compacted, least(?::bigint, compacted + ${atOnce}) AS up_to FROM meta WHERE id = 1
  ), kept AS (
    SELECT min(c.version) AS version FROM changes c, meta_now m
    WHERE c.version > m.compacted AND c.version <= m.up_to AND c.at >= ?
  ), last AS (
    SELECT coalesce((SELECT version - 1 FROM kept), (SELECT up_to FROM meta_now)) AS version
  ), removed AS (
    DELETE FROM changes c USING meta_now m, last l
    WHERE c.version > m.compacted AND c.version <= l.version AND NOT EXISTS (
      SELECT 1 FROM resources r
      WHERE r.kind = c.kind AND r.tenant = c.tenant AND r.name = c.name AND r.version = c.version)
  ), marked AS (
    UPDATE meta SET compacted = l.version FROM last l WHERE meta.id = 1 AND l.version > meta.compacted
  )
  SELECT greatest(l.version - m.compacted, 0) AS removed FROM meta_now m, last l`

export const compactQuery = (version: number, before: number): QueryConfig => statement(sql, [version, before])
