/** Fields of a status that say only when somebody looked: one that differs in no other is not written. */
import { providerAgeFields } from './provider/status.ts'

export function ageFieldsOf(kind: string): readonly string[] {
  return kind === 'Provider' ? providerAgeFields : []
}
