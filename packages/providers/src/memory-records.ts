/** Records in memory: for the library without a store, and for tests. */
import { Fault } from '@gantry/core'
import type { InstanceRecord, InstanceRecords } from './records.ts'
import { refKey, refName } from './ref.ts'
import type { Release } from './release.ts'

export function memoryRecords(): InstanceRecords {
  const records = new Map<string, InstanceRecord>()
  const releases = new Map<string, Release>()
  return {
    async find(ref, { signal }) {
      signal.throwIfAborted()
      return records.get(refKey(ref))
    },
    async save(record, release, { signal }) {
      signal.throwIfAborted()
      const key = refKey(record.ref)
      if ((records.get(key)?.version ?? 0) !== record.version) {
        throw new Fault('version_conflict', `${refName(record.ref)} was changed by someone else meanwhile; try again`)
      }
      const saved = { ...record, version: record.version + 1 }
      records.set(key, saved)
      if (release && !releases.has(release.id)) releases.set(release.id, release)
      return saved
    },
    async forget(ref, { signal }) {
      signal.throwIfAborted()
      records.delete(refKey(ref))
      for (const release of releases.values()) if (release.instance === refKey(ref)) releases.delete(release.id)
    },
    async list({ signal }) {
      signal.throwIfAborted()
      return [...records.values()]
    },
    async release(id, { signal }) {
      signal.throwIfAborted()
      return releases.get(id)
    },
    async releasesOf(ref, { signal }) {
      signal.throwIfAborted()
      const own = [...releases.values()].filter(({ instance }) => instance === refKey(ref))
      return own.sort((left, right) => left.version - right.version)
    },
  }
}
