/** The one suite that every database must pass: what `Store` promises, case by case. */
import { describe } from 'vitest'
import { auditsContract } from './contract/audits.ts'
import { batchesContract } from './contract/batches.ts'
import { closingContract } from './contract/closing.ts'
import { conditionsContract } from './contract/conditions.ts'
import { deletionContract } from './contract/deletion.ts'
import { feedsContract } from './contract/feeds.ts'
import { leasesContract } from './contract/leases.ts'
import { listsContract } from './contract/lists.ts'
import { objectsContract } from './contract/objects.ts'
import { propertiesContract } from './contract/properties.ts'
import { quotasContract } from './contract/quotas.ts'
import { scopesContract } from './contract/scopes.ts'
import { snapshotsContract } from './contract/snapshots.ts'
import type { MakeSubject } from './contract/subject.ts'

export function storeContract(name: string, make: MakeSubject): void {
  describe(`the store on ${name}`, () => {
    objectsContract(make)
    batchesContract(make)
    deletionContract(make)
    listsContract(make)
    feedsContract(make)
    leasesContract(make)
    quotasContract(make)
    conditionsContract(make)
    auditsContract(make)
    scopesContract(make)
    propertiesContract(make)
    snapshotsContract(make)
    closingContract(make)
  })
}
