import { engine } from '@gantry/engines'
import { call } from './contract/subject.ts'

/** The shared PostgreSQL of the test machine, or why there is none. */
export async function postgresEngine(): Promise<{ readonly url: string } | { readonly why: string }> {
  const answer = await engine('postgres', call)
  return answer.state === 'ready' ? { url: answer.address } : { why: answer.why }
}
