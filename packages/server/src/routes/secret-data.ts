/** The only way in for the values of a secret. */
import { endpoints } from '@gantry/api'
import { Fault, type GantryObject, isFault, type ObjectOf } from '@gantry/core'
import { implement, type Routes } from '../app/implement.ts'
import { viewText } from '../objects/annotations.ts'
import { shortName } from '../objects/asked-by.ts'
import { inCallersWords } from '../objects/store-faults.ts'
import { absent, homeOf } from '../objects/write.ts'
import { secretValues } from '../vault/secret-values.ts'
import type { Vault } from '../vault/vault.ts'
import type { RouteDeps } from './deps.ts'

const tries = 10

export function secretDataRoute(deps: RouteDeps, vault: Pick<Vault, 'put'>): Routes['secrets']['putData'] {
  return implement(
    endpoints.secrets.putData,
    async ({ access, params, body, conditions, identity, recording, signal }) => {
      const key = { kind: 'Secret', ...params }
      const values = secretValues({ text: body.text ?? {}, base64: body.base64 ?? {} })
      for (let left = tries; ; left -= 1) {
        const secret = await deps.store.read(access, key, { signal })
        if (!secret) throw absent(key)
        // From here on the version of what was read guards it: nothing can come in between.
        expectGeneration(secret, conditions.ifMatch)
        const { version, commands } = await vault.put(secret as ObjectOf<'Secret'>, values, {
          signal,
          by: shortName(identity.name),
        })
        // Names only: neither audit nor events ever see a value.
        const audit = recording.draft({ target: key, detail: { version, keys: [...values.keys()] } })
        try {
          const { results } = await deps.store.write(access, commands, { audit, requires: homeOf(key) }, { signal })
          const after = results[0]?.object ?? secret
          deps.events.record(after, {
            type: 'normal',
            reason: 'Written',
            message: `has data v${version}`,
            by: identity.name,
          })
          return { text: viewText(after as GantryObject) }
        } catch (error) {
          if (!isFault(error)) throw error
          if (error.kind !== 'conflict' || left <= 1) throw inCallersWords(error, () => '')
        }
      }
    },
  )
}

function expectGeneration({ metadata: { name, generation } }: GantryObject, expected: number | undefined): void {
  if (expected === undefined || expected === generation) return
  const message = `is at generation ${generation}, and not at ${expected}`
  throw new Fault('generation_conflict', `Secret "${name}" ${message}; look at it again`)
}
