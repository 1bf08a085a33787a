/** The prepared statements of the hot path; each is compiled once. */
import type { SqlConnection } from './driver.ts'

export type Statements = ReturnType<typeof prepareStatements>

export function prepareStatements(db: SqlConnection) {
  const usage = db.prepare('SELECT counter, used FROM usage WHERE tenant = ?')
  usage.setReadBigInts(true)
  return {
    usage,
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),

    object: db.prepare(`SELECT c.body, r.usage FROM resources r CROSS JOIN changes c
      WHERE r.kind = ? AND r.tenant = ? AND r.name = ? AND c.version = r.version`),
    children: db.prepare('SELECT kind, tenant, name FROM owners WHERE owner = ?'),
    lease: db.prepare('SELECT holder, epoch FROM leases WHERE name = ?'),
    head: db.prepare('SELECT version, compacted, audit_sequence, audit_hash FROM meta WHERE id = 1'),

    put: db.prepare(`INSERT INTO resources (kind, tenant, name, uid, version, usage) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (kind, tenant, name) DO UPDATE SET uid = excluded.uid, version = excluded.version, usage = excluded.usage`),
    drop: db.prepare('DELETE FROM resources WHERE kind = ? AND tenant = ? AND name = ?'),
    change: db.prepare(
      'INSERT INTO changes (version, kind, tenant, name, type, body, labels_before, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    addMark: db.prepare('INSERT INTO marks (kind, mark, tenant, name) VALUES (?, ?, ?, ?)'),
    dropMark: db.prepare('DELETE FROM marks WHERE kind = ? AND mark = ? AND tenant = ? AND name = ?'),
    addOwner: db.prepare('INSERT INTO owners (owner, kind, tenant, name) VALUES (?, ?, ?, ?)'),
    dropOwner: db.prepare('DELETE FROM owners WHERE owner = ? AND kind = ? AND tenant = ? AND name = ?'),
    setUsage: db.prepare(`INSERT INTO usage (tenant, counter, used) VALUES (?, ?, ?)
      ON CONFLICT (tenant, counter) DO UPDATE SET used = excluded.used`),
    audit: db.prepare('INSERT INTO audit (sequence, tenant, content, hash) VALUES (?, ?, ?, ?)'),
    setHead: db.prepare('UPDATE meta SET version = ?, audit_sequence = ?, audit_hash = ? WHERE id = 1'),

    takeLease: db.prepare(`INSERT INTO leases (name, holder, epoch, expires) VALUES (?, ?, 1, ?)
      ON CONFLICT (name) DO UPDATE SET
        epoch = CASE WHEN leases.holder = excluded.holder THEN leases.epoch ELSE leases.epoch + 1 END,
        holder = excluded.holder, expires = excluded.expires
      WHERE leases.holder = excluded.holder OR leases.holder = '' OR leases.expires <= ?
      RETURNING epoch`),
    renewLease: db.prepare('UPDATE leases SET expires = ? WHERE name = ? AND holder = ? AND epoch = ? AND expires > ?'),
    freeLease: db.prepare(`UPDATE leases SET holder = '', expires = 0 WHERE name = ? AND holder = ? AND epoch = ?`),

    forget: db.prepare('DELETE FROM changes WHERE version = ?'),
    compact:
      db.prepare(`DELETE FROM changes WHERE version > ? AND version <= ? AND NOT EXISTS (SELECT 1 FROM resources r
      WHERE r.kind = changes.kind AND r.tenant = changes.tenant AND r.name = changes.name AND r.version = changes.version)`),
    setCompacted: db.prepare('UPDATE meta SET compacted = ? WHERE id = 1'),
    oldestSince: db.prepare(
      'SELECT min(version) AS version FROM changes WHERE version > ? AND version <= ? AND at >= ?',
    ),
  }
}
