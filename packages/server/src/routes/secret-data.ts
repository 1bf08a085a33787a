/** The only way in for the values of a secret: all of them at once, or some over those that are there. */
import { endpoints } from '@gantry/api'
import { Fault, type GantryObject, isFault, type ObjectOf } from '@gantry/core'
import { implement, type Routes } from '../app/implement.ts'
import type { RequestOf } from '../app/request.ts'
import { viewText } from '../objects/annotations.ts'
import { shortName } from '../objects/asked-by.ts'
import { inCallersWords } from '../objects/store-faults.ts'
import { absent, homeOf } from '../objects/write.ts'
import { secretChanges, secretValues } from '../vault/secret-values.ts'
import type { NewVersion, Vault } from '../vault/vault.ts'
import type { RouteDeps } from './deps.ts'

const tries = 10

export type SecretDataRoutes = Pick<Routes['secrets'], 'putData' | 'patchData'>

type Asked = Omit<RequestOf<typeof endpoints.secrets.putData>, 'body'>

type Make = (secret: ObjectOf<'Secret'>, call: Parameters<Vault['put']>[2]) => Promise<NewVersion>

export function secretDataRoutes(deps: RouteDeps, vault: Pick<Vault, 'put' | 'merge'>): SecretDataRoutes {
  const { putData, patchData } = endpoints.secrets
  return {
    putData: implement(putData, (request) => {
      const values = secretValues({ text: request.body.text ?? {}, base64: request.body.base64 ?? {} })
      return write(request, [...values.keys()], (secret, call) => vault.put(secret, values, call))
    }),
    patchData: implement(patchData, (request) => {
      const change = secretChanges({ text: request.body.text ?? {}, base64: request.body.base64 ?? {} })
      const keys = [...change.set.keys(), ...change.remove]
      return write(request, keys, (secret, call) => vault.merge(secret, change, call))
    }),
  }

  async function write(request: Asked, keys: readonly string[], make: Make): Promise<{ readonly text: string }> {
    const { access, params, conditions, identity, recording, signal } = request
    const key = { kind: 'Secret', ...params }
    for (let left = tries; ; left -= 1) {
      const secret = await deps.store.read(access, key, { signal })
      if (!secret) throw absent(key)
      // From here on the version of what was read guards it: nothing can come in between.
      expectGeneration(secret, conditions.ifMatch)
      const { version, commands } = await make(secret as ObjectOf<'Secret'>, { signal, by: shortName(identity.name) })
      // Names only: neither audit nor events ever see a value.
      const audit = recording.draft({ target: key, detail: { version, keys } })
      try {
        const { results } = await deps.store.write(access, commands, { audit, requires: homeOf(key) }, { signal })
        const after = results[0]?.object ?? secret
        const message = `has data v${version}`
        deps.events.record(after, { type: 'normal', reason: 'Written', message, by: identity.name })
        return { text: viewText(after as GantryObject) }
      } catch (error) {
        if (!isFault(error)) throw error
        if (error.kind !== 'conflict' || left <= 1) throw inCallersWords(error, () => '')
      }
    }
  }
}

function expectGeneration({ metadata: { name, generation } }: GantryObject, expected: number | undefined): void {
  if (expected === undefined || expected === generation) return
  const message = `is at generation ${generation}, and not at ${expected}`
  throw new Fault('generation_conflict', `Secret "${name}" ${message}; look at it again`)
}
