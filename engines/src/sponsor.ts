/** A test runner sponsors the engines that its test files use, so that they are not started again for every file. */
import { Fault } from '@gantry/core'
import { identify, type ProcessIdentity } from './process-identity.ts'

const variable = 'GANTRY_ENGINES_SPONSOR'

/** For the environment of the processes that run the tests. */
export function sponsorEnv(sponsor: ProcessIdentity): Record<string, string> {
  return { [variable]: JSON.stringify(sponsor) }
}

export function sponsorFrom(env: Readonly<Record<string, string | undefined>>): ProcessIdentity | undefined {
  const text = env[variable]
  return text ? (JSON.parse(text) as ProcessIdentity) : undefined
}

export function thisProcess(): ProcessIdentity {
  const self = identify(process.pid)
  if (!self) throw new Fault('unexpected', 'This process cannot find itself among the processes of this machine')
  return self
}
