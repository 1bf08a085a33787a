/** What is left on this machine for the next workload of a name: whose it is, and where it lies. */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Kit } from '../contract/kit.ts'
import type { LocalHarness } from '../testing/local-harness.ts'
import { onLocal } from '../testing/on-local.ts'
import { instanceKey } from './places.ts'
import type { VolumeRecord } from './records.ts'

const wanted = (kit: Kit) => ({
  type: 'stateful_set' as const,
  services: [kit.service({}, { volumes: [{ name: 'data', path: '/data' }] })],
})
const nextOf = (kit: Kit) => ({ ...kit.ref(), uid: 'another-object' })
const folderIn = async (kit: Kit, ref = kit.ref()): Promise<string> =>
  (await kit.env('GANTRY_VOLUME_DATA', {}, ref)) ?? ''

describe('a volume that was left behind', { timeout: 60_000 }, () => {
  it('is in the same place for the next workload of that name, and its user’s alone as before', async () => {
    const { kit } = await onLocal()
    await kit.provision(wanted(kit))
    await kit.write('/data/note', 'mine')
    const folder = await folderIn(kit)
    const whose = () => [folder, join(folder, 'note')].map((path) => [statSync(path).uid, statSync(path).gid])
    const [before, mode] = [whose(), statSync(folder).mode]
    await kit.gone()
    await kit.provision(wanted(kit), nextOf(kit))
    expect(await folderIn(kit, nextOf(kit))).toBe(folder)
    expect(whose()).toEqual(before)
    expect([mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o700, 0o700])
    await kit.write('/data/note', 'still mine', {}, nextOf(kit))
    expect(await kit.read('/data/note', {}, nextOf(kit))).toBe('still mine')
  })

  it('is found also when nothing is on record of it any more', async () => {
    const { kit, harness } = await onLocal()
    await kit.provision(wanted(kit))
    await kit.write('/data/note', 'of no record')
    await kit.gone()
    await harness.engine.close()
    harness.loseRecords()
    const provider = harness.over(await harness.reopen())
    await provider.provision({ ref: nextOf(kit), spec: kit.spec(wanted(kit)) }, kit.call)
    expect(readFileSync(join(await folderIn(kitOver(harness, provider), nextOf(kit)), 'note'), 'utf8')).toBe(
      'of no record',
    )
  })

  it('is nobody’s in another installation, on the same machine and under the same name', async () => {
    const { kit, harness } = await onLocal()
    await kit.provision(wanted(kit))
    await kit.write('/data/note', 'ours')
    const folder = await folderIn(kit)
    await kit.gone()
    const installation = 'someone-else'
    const theirs = await harness.reopen({ installation })
    const desired = { ...kit.desired(wanted(kit), nextOf(kit)), installation }
    await kit.eventually('theirs runs', async () => (await theirs.converge(desired, kit.call)).state === 'done')
    expect(readdirSync(dirname(dirname(dirname(folder)))).length).toBe(2)
    await kit.eventually('theirs is gone', async () => {
      return (await theirs.remove(nextOf(kit), { retained: 'delete' }, kit.call)).state === 'done'
    })
    expect(readFileSync(join(folder, 'note'), 'utf8')).toBe('ours')
  })

  it('is found where it lies when it is of the time of uids, and goes from there when it shall', async () => {
    const { kit, harness } = await onLocal()
    await kit.provision(wanted(kit))
    await kit.write('/data/note', 'of old')
    const folder = await folderIn(kit)
    await kit.gone()
    await harness.engine.close()
    const old = makeOld(harness, folder)
    const provider = harness.over(await harness.reopen())
    const later = kitOver(harness, provider)
    await later.provision(wanted(kit), nextOf(kit))
    expect(await folderIn(later, nextOf(kit))).toBe(old)
    expect(await later.read('/data/note', {}, nextOf(kit))).toBe('of old')
    expect((await harness.truth(nextOf(kit))).volumes.length).toBe(1)
    await provider.deprovision(nextOf(kit), { retained: 'delete' }, kit.call)
    expect(harness.filesLeft()).toEqual([])
    expect((await harness.truth(nextOf(kit))).volumes).toEqual([])
  })
})

function kitOver(harness: LocalHarness, provider: LocalHarness['provider']): Kit {
  return new Kit({ ...harness, provider })
}

/** As it was laid out and written down before: by the uid of the workload. */
function makeOld(harness: LocalHarness, folder: string): string {
  const records = join(harness.dataDir, 'local', 'records', 'volumes')
  const [file = ''] = readdirSync(records)
  const { folder: _, ...record } = JSON.parse(readFileSync(join(records, file), 'utf8')) as VolumeRecord
  const key = instanceKey(record.ref)
  const id = `${key}-${record.index}-${record.name}`
  rmSync(join(records, file))
  writeFileSync(join(records, `${id}.json`), JSON.stringify({ ...record, id }))
  const above = dirname(dirname(folder))
  renameSync(above, join(dirname(above), key))
  return join(dirname(above), key, String(record.index), record.name)
}
