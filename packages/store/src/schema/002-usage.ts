import type { Migration } from './migration.ts'

export const usage: Migration = {
  version: 2,
  what: 'what the objects of a tenant take up, for quotas',
  statements: ({ text, integer, keyOnly }) => [
    'ALTER TABLE resources ADD COLUMN usage TEXT',
    `CREATE TABLE usage (
      tenant ${text} NOT NULL, counter ${text} NOT NULL,
      used ${integer} NOT NULL,
      PRIMARY KEY (tenant, counter))${keyOnly}`,
  ],
}
