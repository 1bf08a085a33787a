import type { Migration } from './migration.ts'

export const objects: Migration = {
  version: 1,
  what: 'objects, their changes, labels and owners, leases, audit',
  statements: ({ name, text, integer, keyOnly }) => [
    `CREATE TABLE meta (
      id ${integer} PRIMARY KEY CHECK (id = 1),
      version ${integer} NOT NULL,
      compacted ${integer} NOT NULL,
      audit_sequence ${integer} NOT NULL,
      audit_hash ${text} NOT NULL)`,
    `INSERT INTO meta VALUES (1, 0, 0, 0, '${'0'.repeat(64)}')`,
    // An object is its last change: what it is stands there, and every body is stored once.
    `CREATE TABLE resources (
      kind ${text} NOT NULL, tenant ${text} NOT NULL, name ${text} NOT NULL,
      uid ${text} NOT NULL,
      version ${integer} NOT NULL,
      PRIMARY KEY (kind, tenant, name))${keyOnly}`,
    `CREATE TABLE changes (
      version ${integer} PRIMARY KEY,
      kind ${text} NOT NULL, tenant ${text} NOT NULL, name ${text} NOT NULL,
      type ${text} NOT NULL,
      body TEXT NOT NULL,
      labels_before TEXT,
      at ${integer} NOT NULL)`,
    // The label a: b leaves the marks "a" and "a=b"; a page by label is a range of this key.
    `CREATE TABLE marks (
      kind ${text} NOT NULL, mark ${text} NOT NULL, tenant ${text} NOT NULL, name ${text} NOT NULL,
      PRIMARY KEY (kind, mark, tenant, name))${keyOnly}`,
    `CREATE TABLE owners (
      owner ${text} NOT NULL, kind ${text} NOT NULL, tenant ${text} NOT NULL, name ${text} NOT NULL,
      PRIMARY KEY (owner, kind, tenant, name))${keyOnly}`,
    `CREATE TABLE leases (
      name ${text} PRIMARY KEY,
      holder ${text} NOT NULL,
      epoch ${integer} NOT NULL,
      expires ${integer} NOT NULL)`,
    `CREATE TABLE audit (
      sequence ${integer} PRIMARY KEY,
      tenant ${text} NOT NULL,
      content TEXT NOT NULL,
      hash ${text} NOT NULL)`,
    'CREATE INDEX audit_by_tenant ON audit (tenant, sequence)',
    // Whether a commit went through whose answer was lost: each process notes the last batch it wrote.
    ...(name === 'postgres'
      ? [`CREATE TABLE writers (id ${text} PRIMARY KEY, batch ${integer} NOT NULL, at ${integer} NOT NULL)`]
      : []),
  ],
}
