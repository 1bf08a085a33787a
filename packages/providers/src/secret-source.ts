/** Where values of secrets come from: the vault, or in a test a map. */
import type { Call, Secret } from '@gantry/core'

export interface SecretSource {
  /**
   * The value under that version of the secret, or the newest when none is named; all keys of a secret change version
   * together. A name, key or version that is not there is `secret_not_found`; a version that was once given stays readable as long as a release names it.
   */
  resolve(
    wanted: { readonly tenant: string; readonly name: string; readonly key: string; readonly version?: number },
    call: Call,
  ): Promise<{ readonly version: number; readonly value: Secret }>
}
